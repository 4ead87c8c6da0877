// MPI is called when it is over, or before it has begun.
// ranks: 2
// variant after: -DWRONG=1 => invalid-argument|wrong-exit|crash
// variant before: -DWRONG=2 => invalid-argument|wrong-exit|crash
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank = 0, initialized;
#if WRONG == 2
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
  MPI_Initialized(&initialized);
  if (!initialized) MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  MPI_Finalized(&initialized);
#if WRONG == 1
  MPI_Barrier(MPI_COMM_WORLD);
#endif
  return 0;
}
