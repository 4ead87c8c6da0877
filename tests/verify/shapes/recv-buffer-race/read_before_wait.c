// The received values are used before the receive is complete.
// ranks: 2
// sizes: tiny -DN=1, small -DN=1024, large -DN=16384, huge -DN=262144
// variant wrong: -DWRONG => recv-buffer-race at 1@irecv
// variant right: => pass
// quick: wrong/tiny right/huge
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *data = calloc(N, sizeof(int));
  if (rank == 0) {
    for (int i = 0; i < N; i++) data[i] = 1;
    MPI_Send(data, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    long sum = 0;
    MPI_Irecv(data, N, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#ifndef WRONG
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    for (int i = 0; i < N; i++) sum += data[i];
#ifdef WRONG
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    printf("sum %ld\n", sum);
  }
  free(data);
  MPI_Finalize();
  return 0;
}
