// A value is sent in ready and buffered mode, by requests of either kind; in the wrong one it is changed before the wait.
// sizes: rsend_init -DHOW=1, bsend_init -DHOW=2, irsend -DHOW=3
// variant wrong: -DWRONG => send-buffer-race at 0@write
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 1, got;
  char room[256 + MPI_BSEND_OVERHEAD], *back;
  int length = sizeof room;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Buffer_attach(room, length);
  if (rank == 1) {
    MPI_Irecv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);  // the receive is there: ready mode may be used
#if HOW == 1
    MPI_Rsend_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
#elif HOW == 2
    MPI_Bsend_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
#else
    MPI_Irsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
#endif
#ifdef WRONG
    value = 2;  // @write
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    value = 3;
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
  MPI_Buffer_detach(&back, &length);
  MPI_Finalize();
  return 0;
}
