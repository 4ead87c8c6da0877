// A producer runs ahead of its consumer's acknowledgements; with receipts in time it is safe, else it leans on buffers.
// ranks: 2
// sizes: tiny -DN=1, small -DN=512
// variant wrong: -DWRONG => unsafe-buffering
// variant right: => pass
#include <mpi.h>

#define ITEMS 6
static int item[N];

int main(int argc, char **argv) {
  int rank, i, ok = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (i = 0; i < ITEMS; i++) {
      MPI_Send(item, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifndef WRONG
      MPI_Recv(&ok, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    }
#ifdef WRONG
    for (i = 0; i < ITEMS; i++) MPI_Recv(&ok, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  } else {
    for (i = 0; i < ITEMS; i++) {
      MPI_Recv(item, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&ok, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
