// One rank has another idea of a count in Gatherv, Allgather, Alltoallv or Reduce_scatter.
// ranks: 2 3
// variant gatherv: -DHOW=1 => collective-mismatch also size-mismatch
// variant allgather: -DHOW=2 => collective-mismatch also size-mismatch
// variant alltoallv: -DHOW=3 => collective-mismatch also size-mismatch
// variant reduce-scatter: -DHOW=4 => collective-mismatch also size-mismatch
// variant right: -DHOW=0 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  static int in[64], out[64];
  int rank, size, counts[4] = {4, 4, 4, 4}, at[4] = {0, 8, 16, 24}, mine = 4;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#if HOW == 1 || HOW == 2
  if (rank == 1) mine = 3;
#elif HOW == 3
  if (rank == 1) counts[0] = 3;
#elif HOW == 4
  if (rank == 1) counts[1] = 5;
#endif
#if HOW <= 1
  MPI_Gatherv(in, mine, MPI_INT, out, counts, at, MPI_INT, 0, MPI_COMM_WORLD);
#elif HOW == 2
  MPI_Allgather(in, mine, MPI_INT, out, mine, MPI_INT, MPI_COMM_WORLD);
#elif HOW == 3
  int four[4] = {4, 4, 4, 4};
  MPI_Alltoallv(in, counts, at, MPI_INT, out, four, at, MPI_INT, MPI_COMM_WORLD);
#else
  MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#endif
  (void)mine, (void)at, (void)counts;
  MPI_Finalize();
  return 0;
}
