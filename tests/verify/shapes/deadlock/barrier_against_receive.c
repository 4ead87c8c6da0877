// Rank 0 waits in a barrier for rank 1, which waits for a message that rank 0 sends after it.
// ranks: 2 3
// variant wrong: -DWRONG => deadlock at 1@recv
// variant right: => pass
// quick: wrong/3
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
#ifdef WRONG
    MPI_Barrier(MPI_COMM_WORLD);  // @barrier
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#else
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
#endif
  } else {
    if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
