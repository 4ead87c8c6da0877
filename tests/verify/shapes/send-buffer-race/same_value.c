// The store writes the value that is there already: still not allowed. Reading is.
// ranks: 2
// sizes: tiny -DN=4, large -DN=30000
// variant wrong: -DWRONG => send-buffer-race at 0@isend
// variant right: => pass
// quick: wrong/tiny right/tiny
#include <mpi.h>
#include <stdio.h>

static int data[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(data, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @isend
#ifdef WRONG
    data[N / 2] = 0;
#else
    printf("sending %d\n", data[N / 2]);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(data, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
