// A rank looks for messages with Iprobe for more than six seconds, another sleeps as long in a receive.
// ranks: 3
// variant right: => pass
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0, there = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    while (!there) MPI_Iprobe(2, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    sleep(7);
    for (int r = 0; r < 2; r++) MPI_Send(&x, 1, MPI_INT, r, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
