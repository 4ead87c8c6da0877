// The incoming block is received over the block that is still going out.
// ranks: 2
// sizes: tiny -DN=1, large -DN=25000
// variant wrong: -DWRONG => send-buffer-race|recv-buffer-race
// variant right: => pass
#include <mpi.h>

static float block[N];
#ifndef WRONG
static float other[N];
#endif

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request requests[2];
#ifdef WRONG
  float *into = block;
#else
  float *into = other;
#endif
  MPI_Irecv(into, N, MPI_FLOAT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(block, N, MPI_FLOAT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
