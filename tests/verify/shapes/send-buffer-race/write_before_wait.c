// The next step's data is written while the last step's is still being sent.
// ranks: 2
// sizes: tiny -DN=1, small -DN=1024, large -DN=16384, huge -DN=262144
// variant wrong: -DWRONG => send-buffer-race at 0@isend
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *data = malloc(sizeof(int) * N);
  if (rank == 0) {
    for (int i = 0; i < N; i++) data[i] = i;
    MPI_Request request;
    MPI_Isend(data, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @isend
#ifndef WRONG
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    for (int i = 0; i < N; i++) data[i] = -i;
#ifdef WRONG
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
  } else if (rank == 1) {
    MPI_Recv(data, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  free(data);
  MPI_Finalize();
  return 0;
}
