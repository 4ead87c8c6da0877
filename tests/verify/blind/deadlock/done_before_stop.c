// Workers wait for the order to stop before they say that they are done, and the master the other way round.
// ranks: 3
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>

#define DONE 1
#define STOP 2

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, flag = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    for (int w = 1; w < size; w++) MPI_Recv(&flag, 1, MPI_INT, w, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int w = 1; w < size; w++) MPI_Send(&flag, 1, MPI_INT, w, STOP, MPI_COMM_WORLD);
  } else {
#ifdef WRONG
    MPI_Recv(&flag, 1, MPI_INT, 0, STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&flag, 1, MPI_INT, 0, DONE, MPI_COMM_WORLD);
#else
    MPI_Send(&flag, 1, MPI_INT, 0, DONE, MPI_COMM_WORLD);
    MPI_Recv(&flag, 1, MPI_INT, 0, STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  }
  MPI_Finalize();
  return 0;
}
