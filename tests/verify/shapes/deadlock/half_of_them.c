// Two ranks block each other while the rest is fine and waits in a barrier.
// ranks: 4 5
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1 || rank == 2) {
    int peer = 3 - rank;
#ifdef WRONG
    int receives_first = 1;
#else
    int receives_first = rank == 1;
#endif
    if (receives_first) MPI_Recv(&x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    if (!receives_first) MPI_Recv(&x, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
