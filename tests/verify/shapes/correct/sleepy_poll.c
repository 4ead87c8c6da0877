// Test and sleep in turn, as a progress thread of one's own would.
// ranks: 2 3
// variant right: => pass
#include <mpi.h>
#include <time.h>

static void nap(void) {
  const struct timespec pause = {0, 2000000};
  nanosleep(&pause, NULL);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, in = 0, flag = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
  if (rank == 0) {
    for (int i = 0; i < 100; i++) nap();
    MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  }
  for (; !flag; nap()) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  if (rank != 0) MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
