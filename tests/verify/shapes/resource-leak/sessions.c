// MPI is used through a session alone, twice in a row; MPI_COMM_WORLD is never touched.
// ranks: 2 3
// variant right: => pass
// variant communicator: -DWRONG=1 => resource-leak at 0@made
// variant type: -DWRONG=2 => resource-leak
// variant invalid: -DWRONG=3 => invalid-argument at 0@sent
// variant deadlock: -DWRONG=4 => deadlock
// quick: right/2 communicator/2
#include <mpi.h>

static int ring(int round) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  int rank, size, begun = 1, from = -1;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "ring", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);  // @made
  MPI_Group_free(&group);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
#if WRONG == 3
  if (rank == 0) MPI_Send(&rank, 1, MPI_INT, size, round, comm);  // @sent
#endif
#if WRONG == 4
  if (rank == 0) MPI_Recv(&from, 1, MPI_INT, 1, 77, comm, MPI_STATUS_IGNORE);
#endif
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, round, &from, 1, MPI_INT, (rank + size - 1) % size, round, comm, MPI_STATUS_IGNORE);
#if WRONG == 2
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
#endif
#if WRONG != 1
  MPI_Comm_free(&comm);
#endif
  MPI_Session_finalize(&session);
  MPI_Initialized(&begun);
  return begun == 0 && from == (rank + size - 1) % size;
}

int main(void) { return ring(0) && ring(1) ? 0 : 1; }
