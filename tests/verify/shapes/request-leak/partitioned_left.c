// A partitioned channel is set up and started, but never completed or freed.
// ranks: 2
// variant unfreed: -DWRONG=1 => request-leak
// variant never-started: -DWRONG=2 => request-leak
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  static int data[16];
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Psend_init(data, 4, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else
    MPI_Precv_init(data, 4, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#if WRONG != 2
  MPI_Start(&request);
  if (rank == 0) MPI_Pready_range(0, 3, request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
#ifndef WRONG
  MPI_Request_free(&request);
#endif
  MPI_Finalize();
  return 0;
}
