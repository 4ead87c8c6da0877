// Gatherv, Scatterv, Alltoallv, Allgatherv and Reduce_scatter with counts that differ by rank but agree.
// ranks: 2 3
// variant right: => pass
#include <mpi.h>

enum { MOST = 64 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int me, n, counts[8], at[8], mine[MOST] = {0}, all[MOST] = {0}, to[8], to_at[8], from[8], from_at[8];
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  for (int r = 0, sum = 0; r < n; r++) {
    counts[r] = r + 1;
    at[r] = sum;
    sum += counts[r];
    to[r] = me + r;
    from[r] = r + me;
    to_at[r] = r * 8;
    from_at[r] = r * 8;
  }
  MPI_Gatherv(mine, counts[me], MPI_INT, all, counts, at, MPI_INT, n - 1, MPI_COMM_WORLD);
  MPI_Scatterv(all, counts, at, MPI_INT, mine, counts[me], MPI_INT, n - 1, MPI_COMM_WORLD);
  MPI_Allgatherv(mine, counts[me], MPI_INT, all, counts, at, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallv(all, to, to_at, MPI_INT, mine, from, from_at, MPI_INT, MPI_COMM_WORLD);
  MPI_Reduce_scatter(all, mine, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(mine, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(mine, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
