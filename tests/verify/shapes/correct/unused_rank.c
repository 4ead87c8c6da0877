// Ranks that take no part and go straight to Finalize are no problem when nobody needs them.
// ranks: 3 5
// sizes: tiny -DN=1, large -DN=9000
// variant right: => pass
#include <mpi.h>

static int data[N];

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < 2) {
    for (int i = 0; i < 10; i++) {
      if (rank == i % 2)
        MPI_Send(data, N, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
      else
        MPI_Recv(data, N, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
