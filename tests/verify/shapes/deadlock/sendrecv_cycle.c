// Sendrecv with partners that do not agree.
// ranks: 3
// sizes: tiny -DN=1, large -DN=16384
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>

static double send[N], recv[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int to = (rank + 1) % size;
#ifdef WRONG
  int from = (rank + 1) % size;  // should be the other neighbour
#else
  int from = (rank + size - 1) % size;
#endif
  MPI_Sendrecv(send, N, MPI_DOUBLE, to, 0, recv, N, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
