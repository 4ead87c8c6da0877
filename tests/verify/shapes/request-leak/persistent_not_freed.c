// A persistent request must be freed, and started if it was made to be used.
// ranks: 2
// variant unfreed: -DWRONG=1 => request-leak at 0@init
// variant unstarted: -DWRONG=2 => request-leak at 0@init
// variant right: => pass
// quick: unstarted right
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, cell = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Send_init(&cell, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @init
#if WRONG == 2
    MPI_Send(&cell, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#else
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
#ifndef WRONG
    MPI_Request_free(&request);
#endif
  } else {
    MPI_Recv(&cell, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
