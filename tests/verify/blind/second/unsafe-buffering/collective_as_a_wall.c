// A broadcast's root goes on without waiting for the others here; a library in which it waits would hang.
// ranks: 2
// variant wrong: -DWRONG => unsafe-buffering
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, n = 4, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
#ifdef WRONG
    MPI_Ssend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
#else
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Ssend(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#endif
  }
  MPI_Finalize();
  return 0;
}
