// Two partitions are said to be ready by a list; in the wrong one another value is put into one of them afterwards, in the right one
// into the third, which is not ready yet. Forgotten, the third never leaves.
// variant wrong: -DWRITTEN=2 => send-buffer-race at 0@write
// variant right: -DWRITTEN=1 => pass
// variant forgotten: -DWRITTEN=1 -DFORGOTTEN => deadlock
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, parts[3] = {1, 2, 3}, listed[2] = {0, 2};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Psend_init(parts, 3, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Pready_list(2, listed, request);
    parts[WRITTEN] = 9;  // @write
#ifndef FORGOTTEN
    MPI_Pready(1, request);
#endif
  } else {
    MPI_Precv_init(parts, 3, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
