// Messages go to and fro for ever.
// ranks: 2
// timeout: 8
// variant wrong: -DWRONG => resource-limit
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, v = 0;
  long rounds = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int more = 1;
  while (more) {
    if (rank == 0) {
      MPI_Send(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    rounds++;
#ifndef WRONG
    more = rounds < 500;
#endif
  }
  MPI_Finalize();
  return 0;
}
