// A message is sent around a broadcast that its receiver enters before it receives.
// ranks: 3
// sizes: tiny -DN=1, small -DN=1024
// variant wrong: -DWRONG => unsafe-buffering
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  static int message[N];
  int rank, config = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 2) {
    config = 5;
    MPI_Send(message, N, MPI_INT, 0, 0, MPI_COMM_WORLD);  // @send
  }
#ifdef WRONG
  MPI_Bcast(&config, 1, MPI_INT, 2, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(message, N, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  if (rank == 0) MPI_Recv(message, N, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bcast(&config, 1, MPI_INT, 2, MPI_COMM_WORLD);
#endif
  MPI_Finalize();
  return config == 5 ? 0 : 1;
}
