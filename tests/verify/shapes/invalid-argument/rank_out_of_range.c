// The last rank sends to a neighbour that does not exist.
// ranks: 2 3
// variant size: -DWRONG=1 => invalid-argument
// variant negative: -DWRONG=2 => invalid-argument
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = rank - 1, right = rank + 1;
#if WRONG == 1
  if (rank == 0) left = MPI_PROC_NULL;
#elif WRONG == 2
  if (rank == 0) left = -42;
  if (right == size) right = MPI_PROC_NULL;
#else
  if (rank == 0) left = MPI_PROC_NULL;
  if (right == size) right = MPI_PROC_NULL;
#endif
  MPI_Recv(&x, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
  MPI_Send(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD);  // @send
  MPI_Finalize();
  return 0;
}
