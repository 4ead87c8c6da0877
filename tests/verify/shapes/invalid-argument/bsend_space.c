// Buffered sends need an attached buffer that is large enough.
// ranks: 2
// variant none: -DSPACE=0 => invalid-argument
// variant too-small: -DSPACE=64 => invalid-argument
// variant right: -DSPACE=8192 => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, data[500] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if SPACE > 0
  char *space = malloc(SPACE);
  MPI_Buffer_attach(space, SPACE);
#endif
  if (rank == 0) MPI_Bsend(data, 500, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @bsend
  if (rank == 1) MPI_Recv(data, 500, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#if SPACE > 0
  int size;
  MPI_Buffer_detach(&space, &size);
  free(space);
#endif
  MPI_Finalize();
  return 0;
}
