// A request that was made to be started again and again is freed without ever having been started.
// ranks: 2
// variant receive: -DWRONG -DKIND=1 => request-leak at 1@made
// variant receive-right: -DKIND=1 => pass
// variant waited: -DWRONG -DKIND=1 -DWAITS => request-leak at 1@made
// variant partitioned: -DWRONG -DKIND=2 => request-leak
// variant partitioned-right: -DKIND=2 => pass
// variant collective: -DWRONG -DKIND=3 => request-leak
// variant collective-right: -DKIND=3 => pass
// quick: receive receive-right
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[8] = {0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if KIND == 1
  if (rank == 0)
    MPI_Send_init(data, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  else
    MPI_Recv_init(data, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);  // @made
#elif KIND == 2
  if (rank == 0)
    MPI_Psend_init(data, 2, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else
    MPI_Precv_init(data, 2, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#else
  MPI_Bcast_init(data, 8, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#endif
#ifndef WRONG
  MPI_Start(&request);
#if KIND == 2
  if (rank == 0) MPI_Pready_range(0, 1, request);
#endif
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
#ifdef WAITS
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // of an inactive request it ends at once
#endif
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
