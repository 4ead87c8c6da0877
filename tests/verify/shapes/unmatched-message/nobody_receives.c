// A small message that no receive ever takes; a large one hangs its sender.
// ranks: 2 3
// sizes: tiny -DN=1, small -DN=1024, large -DN=30000
// variant wrong tiny small: -DWRONG => unmatched-message at 0@send
// variant wrong large: -DWRONG => deadlock at 0@send
// variant right: => pass
// quick: wrong/tiny/2
#include <mpi.h>

static int data[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(data, N, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @send
#ifndef WRONG
  if (rank == 1) MPI_Recv(data, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  MPI_Finalize();
  return 0;
}
