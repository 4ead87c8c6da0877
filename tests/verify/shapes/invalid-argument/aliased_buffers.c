// A reduction's input and output are the same array, without MPI_IN_PLACE.
// ranks: 2 3
// variant wrong: -DWRONG => invalid-argument
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  double sums[4] = {1, 2, 3, 4};
  MPI_Init(&argc, &argv);
#ifdef WRONG
  MPI_Allreduce(sums, sums, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#else
  MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#endif
  MPI_Finalize();
  return 0;
}
