// Every second element of a long array is sent; in the wrong one an element of it is written before the wait, in the right one its
// neighbour, which lies in a hole of the type.
// sizes: small -DBLOCKS=50, large -DBLOCKS=70000
// variant wrong: -DWRITTEN=4 => send-buffer-race at 0@write
// variant right: -DWRITTEN=5 => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Datatype every_second;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *a = calloc(2 * BLOCKS, sizeof(int));
  MPI_Type_vector(BLOCKS, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(a, 1, every_second, 1, 0, MPI_COMM_WORLD, &request);
    a[WRITTEN] = 7;  // @write
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(a, 1, every_second, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&every_second);
  free(a);
  MPI_Finalize();
  return 0;
}
