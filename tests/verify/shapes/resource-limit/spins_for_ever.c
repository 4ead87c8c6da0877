// One rank never comes out of its computation; in the right one it does, after a while.
// ranks: 2
// timeout: 8
// variant wrong: -DWRONG => resource-limit
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  volatile unsigned long n = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
#ifdef WRONG
    for (;;) n++;
#else
    while (n < 20000000) n++;
#endif
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
