// Overlap of halo exchange and computing: the inner cells may be computed, the border cells not yet.
// ranks: 2 3
// sizes: small -DN=64, large -DN=20000
// variant wrong: -DFROM=1 => recv-buffer-race
// variant right: -DFROM=2 => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // cells 1..N are ours, 0 and N+1 are the neighbours'
  double *u = calloc(N + 2, sizeof *u), *next = calloc(N + 2, sizeof *next);
  int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  for (int t = 0; t < 3; t++) {
    MPI_Request r[4];
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&u[N + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(&u[N], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[3]);
    for (int i = FROM; i <= N + 1 - FROM; i++) next[i] = (u[i - 1] + u[i + 1]) / 2;
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    next[1] = (u[0] + u[2]) / 2;
    next[N] = (u[N - 1] + u[N + 1]) / 2;
    double *swap = u;
    u = next;
    next = swap;
  }
  free(u);
  free(next);
  MPI_Finalize();
  return 0;
}
