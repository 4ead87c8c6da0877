// The buffer is given back to the heap while it is being sent.
// ranks: 2
// sizes: tiny -DN=8, large -DN=200000
// variant wrong: -DWRONG => send-buffer-race at 0@isend
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *page = malloc(N);
  memset(page, 'a' + rank, N);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(page, N, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);  // @isend
#ifdef WRONG
    free(page);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(page);
#endif
  } else {
    MPI_Recv(page, N, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(page);
  }
  MPI_Finalize();
  return 0;
}
