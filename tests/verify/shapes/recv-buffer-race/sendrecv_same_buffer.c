// Sendrecv must have two buffers; Sendrecv_replace is there for one.
// ranks: 2
// sizes: tiny -DN=1, large -DN=20000
// variant wrong: -DWRONG => recv-buffer-race|send-buffer-race|invalid-argument
// variant right: => pass
#include <mpi.h>

static int both[N];

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int peer = 1 - rank;
#ifdef WRONG
  MPI_Sendrecv(both, N, MPI_INT, peer, 0, both, N, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  MPI_Sendrecv_replace(both, N, MPI_INT, peer, 0, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  MPI_Finalize();
  return 0;
}
