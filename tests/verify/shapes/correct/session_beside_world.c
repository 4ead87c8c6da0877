// A library has a session of its own beside the program's MPI_Init and MPI_Finalize, before it and after it.
// ranks: 2
// variant inside: => pass
// variant around: -DAROUND => pass
#include <mpi.h>
#include <stddef.h>

static MPI_Session session;
static MPI_Comm library = MPI_COMM_NULL;

static void library_begins(void) {
  MPI_Group group;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "library", MPI_INFO_NULL, MPI_ERRORS_RETURN, &library);
  MPI_Group_free(&group);
}

static void library_ends(void) {
  int one = 1, all = 0;
  MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, library);
  MPI_Comm_free(&library);
  MPI_Session_finalize(&session);
}

int main(int argc, char **argv) {
  int rank, begun = 1;
#ifdef AROUND
  library_begins();
  MPI_Initialized(&begun);
  if (begun) return 1;
#endif
  MPI_Init(&argc, &argv);
  MPI_Initialized(&begun);
  if (!begun) return 2;
#ifndef AROUND
  library_begins();
#endif
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&rank, 1, MPI_INT, 0, MPI_COMM_WORLD);
#ifndef AROUND
  library_ends();
#endif
  MPI_Finalize();
#ifdef AROUND
  library_ends();
#endif
  return rank;
}
