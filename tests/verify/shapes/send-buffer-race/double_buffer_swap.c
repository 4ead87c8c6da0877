// Double buffering with two requests but, in the wrong one, a single buffer.
// ranks: 2
// sizes: small -DN=256, large -DN=50000
// variant wrong: -DWRONG => send-buffer-race at 0@isend
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

#define STEPS 5

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *buffer[2] = {malloc(N * sizeof(double)), malloc(N * sizeof(double))};
  MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  for (int t = 0; t < STEPS; t++) {
    int now = t % 2;
    if (rank == 0) {
#ifdef WRONG
      int slot = 0;  // meant: one of two buffers
#else
      int slot = now;
#endif
      MPI_Wait(&request[now], MPI_STATUS_IGNORE);
      for (int i = 0; i < N; i++) buffer[slot][i] = t * i;
      MPI_Isend(buffer[slot], N, MPI_DOUBLE, 1, t, MPI_COMM_WORLD, &request[now]);  // @isend
    } else {
      MPI_Recv(buffer[0], N, MPI_DOUBLE, 0, t, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  free(buffer[0]);
  free(buffer[1]);
  MPI_Finalize();
  return 0;
}
