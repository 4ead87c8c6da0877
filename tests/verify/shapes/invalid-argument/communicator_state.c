// A communicator must still exist; MPI_COMM_NULL is what ranks outside of a split get.
// ranks: 2 3
// variant freed: -DWRONG=1 => invalid-argument
// variant null: -DWRONG=2 => invalid-argument
// variant right: => pass
#include <mpi.h>

#ifndef WRONG
#define WRONG 0
#endif

int main(int argc, char **argv) {
  int rank, x = 0, in_pair;
  MPI_Comm pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  in_pair = rank < 2;
#if WRONG == 2
  in_pair = rank < 1;
#endif
  MPI_Comm_split(MPI_COMM_WORLD, in_pair ? 0 : MPI_UNDEFINED, rank, &pair);
#if WRONG == 1
  MPI_Comm used = pair;
  if (pair != MPI_COMM_NULL) MPI_Comm_free(&pair);
#else
  MPI_Comm used = pair;
#endif
  if (rank == 0 && WRONG != 2) MPI_Send(&x, 1, MPI_INT, 1, 0, used);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, used, MPI_STATUS_IGNORE);
  if (pair != MPI_COMM_NULL) MPI_Comm_free(&pair);
  MPI_Finalize();
  return 0;
}
