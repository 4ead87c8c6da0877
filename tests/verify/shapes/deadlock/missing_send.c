// The producer makes one message less than the consumer wants.
// ranks: 2
// sizes: tiny -DN=2, large -DN=20000
// variant wrong: -DMADE=4 -DWANTED=5 => deadlock at 1@recv
// variant right: -DMADE=5 -DWANTED=5 => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long *data = malloc(N * sizeof *data);
  if (rank == 0) {
    for (int i = 0; i < MADE; i++) {
      for (int k = 0; k < N; k++) data[k] = i * k;
      MPI_Send(data, N, MPI_LONG, 1, i, MPI_COMM_WORLD);
    }
  } else {
    for (int i = 0; i < WANTED; i++) {
      MPI_Recv(data, N, MPI_LONG, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
    }
  }
  free(data);
  MPI_Finalize();
  return 0;
}
