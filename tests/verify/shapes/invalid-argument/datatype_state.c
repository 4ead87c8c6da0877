// A type must be committed, must still exist, and must not be null.
// ranks: 2
// variant uncommitted: -DWRONG=1 => invalid-argument
// variant freed: -DWRONG=2 => invalid-argument
// variant null: -DWRONG=3 => invalid-argument
// variant right: => pass
// variant freed-in-flight: -DFREE_EARLY => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, pairs[8] = {0};
  MPI_Datatype pair;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_contiguous(2, MPI_INT, &pair);
#if WRONG != 1
  MPI_Type_commit(&pair);
#endif
  MPI_Datatype used = pair;
#if WRONG == 2
  MPI_Type_free(&pair);
#elif WRONG == 3
  used = MPI_DATATYPE_NULL;
#endif
  if (rank == 0)
    MPI_Isend(pairs, 4, used, 1, 0, MPI_COMM_WORLD, &request);
  else
    MPI_Irecv(pairs, 4, used, 0, 0, MPI_COMM_WORLD, &request);
#ifdef FREE_EARLY
  MPI_Type_free(&pair);  // the active operation keeps it
#endif
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (pair != MPI_DATATYPE_NULL) MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
