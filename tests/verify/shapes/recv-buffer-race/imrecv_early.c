// A matched receive is no more complete than any other until it is waited for.
// ranks: 2
// sizes: tiny -DN=1, large -DN=20000
// variant wrong: -DWRONG => recv-buffer-race at 1@imrecv
// variant right: => pass
#include <mpi.h>

static int data[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, last = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    data[N - 1] = 4;
    MPI_Send(data, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Message message;
    MPI_Request request;
    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(data, N, MPI_INT, &message, &request);  // @imrecv
#ifdef WRONG
    last = data[N - 1];
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    last += data[N - 1];
  }
  MPI_Finalize();
  return last < 0;
}
