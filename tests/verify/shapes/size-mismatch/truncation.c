// More is sent than the receive has room for; less is legal.
// ranks: 2
// sizes: tiny -DN=4, small -DN=1024, large -DN=40000
// variant wrong: -DEXTRA=-1 => size-mismatch at 1@recv
// variant exact: -DEXTRA=0 => pass
// variant longer: -DEXTRA=100 => pass
// quick: wrong/tiny longer/small
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *data = calloc(N + 100, sizeof(int));
  if (rank == 0)
    MPI_Send(data, N, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @send
  else
    MPI_Recv(data, N + EXTRA, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
  free(data);
  MPI_Finalize();
  return 0;
}
