// Only the root broadcasts; the others receive point to point.
// ranks: 2 3
// variant wrong: -DWRONG => deadlock|collective-mismatch
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, n = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    n = 5;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else {
#ifdef WRONG
    MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
#endif
  }
  MPI_Finalize();
  return 0;
}
