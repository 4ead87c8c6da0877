// Sendrecv_replace on a ring in which one rank goes the other way round.
// ranks: 4
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, x;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int step = 1;
#ifdef WRONG
  if (rank == 2) step = size - 1;
#endif
  x = rank;
  MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + step) % size, 0, (rank + size - step) % size, 0, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
