// A small Isend completes its Wait although no receive ever comes.
// ranks: 2
// sizes: tiny -DN=1, small -DN=512
// variant wrong: -DWRONG => unmatched-message at 0@isend
// variant right: => pass
#include <mpi.h>

static double data[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(data, N, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD, &request);  // @isend
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
#ifndef WRONG
    MPI_Recv(data, N, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  }
  MPI_Finalize();
  return 0;
}
