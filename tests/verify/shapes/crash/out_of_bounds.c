// A rank number used as an index far beyond its array ends in a segmentation fault.
// ranks: 2 4
// variant wrong: -DSTEP=100000000L => crash
// variant right: -DSTEP=1L => pass
#include <mpi.h>

static int table[8];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  long rank_l;
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rank_l = rank;
  if (rank > 0) table[rank_l * STEP] = rank;
  MPI_Reduce(table, &x, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
