// A block is forwarded while it is still being received.
// ranks: 3
// sizes: tiny -DN=1, large -DN=40000
// variant wrong: -DWRONG => recv-buffer-race at 1@early 1@arrives
// variant right: => pass
#include <mpi.h>

static int relay[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(relay, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Request in;
    MPI_Irecv(relay, N, MPI_INT, 0, 0, MPI_COMM_WORLD, &in);  // @arrives
#ifdef WRONG
    MPI_Send(relay, N, MPI_INT, 2, 0, MPI_COMM_WORLD);  // @early
    MPI_Wait(&in, MPI_STATUS_IGNORE);
#else
    MPI_Wait(&in, MPI_STATUS_IGNORE);
    MPI_Send(relay, N, MPI_INT, 2, 0, MPI_COMM_WORLD);
#endif
  } else {
    MPI_Recv(relay, N, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
