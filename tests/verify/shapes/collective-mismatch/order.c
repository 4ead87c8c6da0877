// Two collectives in another order on one rank.
// ranks: 2 3
// variant wrong: -DWRONG => collective-mismatch
// variant right: => pass
// quick: wrong/2
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, n = 4, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
  if (rank == 1) {
    MPI_Reduce(&n, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else
#endif
  {
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(&n, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
