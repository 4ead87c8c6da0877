// Four bytes are four bytes, but an int is no float.
// ranks: 2
// sizes: tiny -DN=1, small -DN=1024, large -DN=40000
// variant wrong: -DRECEIVED=MPI_FLOAT => type-mismatch at 0@send 1@recv
// variant right: -DRECEIVED=MPI_INT => pass
// quick: wrong/small
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  void *data = calloc(N, 4);
  if (rank == 0)
    MPI_Send(data, N, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @send
  else
    MPI_Recv(data, N, RECEIVED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
  free(data);
  MPI_Finalize();
  return 0;
}
