// The master tells everybody to stop, also the one who was told already.
// ranks: 3
// variant wrong: -DWRONG => unmatched-message
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, order = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    MPI_Send(&order, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifdef WRONG
    int first = 1;
#else
    int first = 2;
#endif
    for (int r = first; r < size; r++) MPI_Send(&order, 1, MPI_INT, r, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&order, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
