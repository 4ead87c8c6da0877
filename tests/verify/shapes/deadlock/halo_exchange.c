// One-dimensional halo exchange on an open chain, in a loop of time steps.
// ranks: 2 4
// sizes: small -DN=32, large -DN=16384
// variant wrong small: -DWRONG => unsafe-buffering
// variant wrong large: -DWRONG => deadlock
// variant chained small: -DCHAINED => pass
// variant chained large: -DCHAINED => pass
// variant nonblocking: -DNONBLOCKING => pass
#include <mpi.h>
#include <stdlib.h>

typedef struct {
  int rank, left, right;
  double *west, *east, *west_halo, *east_halo;
} Domain;

static void exchange(Domain *d) {
#if defined(WRONG)  // each pair sends at once
  MPI_Send(d->east, N, MPI_DOUBLE, d->right, 0, MPI_COMM_WORLD);
  MPI_Send(d->west, N, MPI_DOUBLE, d->left, 1, MPI_COMM_WORLD);
  MPI_Recv(d->west_halo, N, MPI_DOUBLE, d->left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(d->east_halo, N, MPI_DOUBLE, d->right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#elif defined(CHAINED)  // the chain has an end, so this unrolls from there: slow but safe
  MPI_Send(d->east, N, MPI_DOUBLE, d->right, 0, MPI_COMM_WORLD);
  MPI_Recv(d->west_halo, N, MPI_DOUBLE, d->left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(d->west, N, MPI_DOUBLE, d->left, 1, MPI_COMM_WORLD);
  MPI_Recv(d->east_halo, N, MPI_DOUBLE, d->right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  MPI_Request r[4];
  MPI_Irecv(d->west_halo, N, MPI_DOUBLE, d->left, 0, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(d->east_halo, N, MPI_DOUBLE, d->right, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Isend(d->east, N, MPI_DOUBLE, d->right, 0, MPI_COMM_WORLD, &r[2]);
  MPI_Isend(d->west, N, MPI_DOUBLE, d->left, 1, MPI_COMM_WORLD, &r[3]);
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
#endif
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  Domain d;
  int size;
  MPI_Comm_rank(MPI_COMM_WORLD, &d.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  d.left = d.rank > 0 ? d.rank - 1 : MPI_PROC_NULL;
  d.right = d.rank + 1 < size ? d.rank + 1 : MPI_PROC_NULL;
  double *all = calloc(4 * N, sizeof(double));
  d.west = all;
  d.east = all + N;
  d.west_halo = all + 2 * N;
  d.east_halo = all + 3 * N;
  for (int step = 0; step < 5; step++) {
    exchange(&d);
    for (int i = 0; i < N; i++) d.west[i] = d.east[i] = 0.5 * (d.west_halo[i] + d.east_halo[i]) + 1;
  }
  free(all);
  MPI_Finalize();
  return 0;
}
