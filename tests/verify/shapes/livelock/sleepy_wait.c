// Polling with naps for a message under a tag that nobody uses.
// ranks: 2
// timeout: 9
// variant wrong: -DTAG=5 => livelock
// variant right: -DTAG=4 => pass
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, flag = 0, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(&x, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &request);
    for (;;) {
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      if (flag) break;
      usleep(1000);
    }
  }
  MPI_Finalize();
  return 0;
}
