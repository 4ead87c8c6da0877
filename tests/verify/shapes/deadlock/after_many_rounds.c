// A hundred good exchanges, then one with another tag on one side.
// ranks: 2
// sizes: tiny -DN=1, large -DN=9000
// variant wrong: -DLAST=100 => deadlock
// variant right: -DLAST=1000 => pass
#include <mpi.h>

static int data[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i <= 100; i++) {
    int tag = rank == 1 && i == LAST ? i + 1 : i;
    if (rank == 0) {
      MPI_Send(data, N, MPI_INT, 1, i, MPI_COMM_WORLD);
      MPI_Recv(data, N, MPI_INT, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(data, N, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(data, N, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
