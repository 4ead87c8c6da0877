// Rotate blocks all the way round with Sendrecv, then with Sendrecv_replace.
// ranks: 2 3 5
// sizes: tiny -DN=1, large -DN=10000
// variant right: => pass
// variant replace: -DREPLACE => pass
#include <mpi.h>

static double mine[N];
#ifndef REPLACE
static double next[N];
#endif

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int right = (rank + 1) % size, left = (rank - 1 + size) % size;
  mine[0] = rank;
  for (int step = 0; step < size; step++) {
#ifdef REPLACE
    MPI_Sendrecv_replace(mine, N, MPI_DOUBLE, right, 0, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Sendrecv(mine, N, MPI_DOUBLE, right, step, next, N, MPI_DOUBLE, left, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++) mine[i] = next[i];
#endif
  }
  if (mine[0] != rank) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}
