// The ranks do not agree on the operation of a reduction.
// ranks: 2 3
// variant wrong: -DWRONG => collective-mismatch
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 2, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
  MPI_Op op = rank == 0 ? MPI_SUM : MPI_PROD;
#else
  MPI_Op op = MPI_SUM;
#endif
  MPI_Allreduce(&x, &y, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
