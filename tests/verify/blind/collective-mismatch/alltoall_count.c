// The counts of an all-to-all differ between two ranks.
// ranks: 2
// variant wrong: -DWRONG => collective-mismatch also size-mismatch
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, out[40] = {0}, in[40];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
  int n = rank ? 8 : 12;
#else
  int n = 12;
#endif
  MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
