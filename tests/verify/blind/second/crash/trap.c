// A rank runs into an illegal instruction while the other three wait for it in a reduction.
// ranks: 4
// variant wrong: -DWRONG => crash
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
  if (rank == 3) __builtin_trap();
#endif
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return sum == 6 ? 0 : 1;
}
