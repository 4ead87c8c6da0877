// One rank probes for a message that is sent behind a barrier.
// ranks: 3
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifndef WRONG
  MPI_Barrier(MPI_COMM_WORLD);
#endif
  if (rank == 1) {
    MPI_Probe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 2, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
#ifdef WRONG
  MPI_Barrier(MPI_COMM_WORLD);
#endif
  if (rank == 2) MPI_Send(&x, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
