// A partial sum is sent on and added to at once.
// ranks: 3
// sizes: tiny -DN=1, large -DN=15000
// variant wrong: -DWRONG => send-buffer-race at 0@isend
// variant right: => pass
#include <mpi.h>
#include <string.h>

static double sum[N], part[N], out[N];

static void add(double *to, const double *what) {
  for (int i = 0; i < N; i++) to[i] += what[i];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Request r[3];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  part[0] = 1;
  if (rank == 0) {
    memcpy(out, part, sizeof out);
    for (int to = 1; to < size; to++) {
#ifdef WRONG
      MPI_Isend(sum, N, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &r[to]);  // @isend
#else
      MPI_Isend(out, N, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &r[to]);
#endif
      add(sum, part);
    }
    MPI_Waitall(size - 1, r + 1, MPI_STATUSES_IGNORE);
  } else {
    MPI_Recv(sum, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    add(sum, part);
  }
  MPI_Finalize();
  return out[0] < 0;
}
