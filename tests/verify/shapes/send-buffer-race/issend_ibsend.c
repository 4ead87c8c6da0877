// The rule holds for every mode: a synchronous send and a buffered one are active until they are completed.
// ranks: 2
// variant issend: -DMODE=1 -DWRONG => send-buffer-race at 0@issend
// variant ibsend: -DMODE=2 -DWRONG => send-buffer-race at 0@ibsend
// variant bsend: -DMODE=3 -DWRONG => pass
// variant issend-right: -DMODE=1 => pass
// variant ibsend-right: -DMODE=2 => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 10, size = 1000;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *space = malloc(size);
  MPI_Buffer_attach(space, size);
  if (rank == 0) {
    MPI_Request request = MPI_REQUEST_NULL;
#if MODE == 1
    MPI_Issend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @issend
#elif MODE == 2
    MPI_Ibsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @ibsend
#else
    MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#endif
#ifdef WRONG
    value = 20;
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    value = 30;
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Buffer_detach(&space, &size);
  free(space);
  MPI_Finalize();
  return 0;
}
