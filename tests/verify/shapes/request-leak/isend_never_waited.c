// A send is started and never completed.
// ranks: 2
// sizes: tiny -DN=1, small -DN=1024, large -DN=20000
// variant wrong: -DWRONG => request-leak at 0@isend
// variant right: => pass
// quick: wrong/tiny
#include <mpi.h>

static int data[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(data, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @isend
#ifndef WRONG
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
  } else {
    MPI_Recv(data, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
