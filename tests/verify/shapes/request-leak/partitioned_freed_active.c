// The sender frees its partitioned request while the partitions are under way: nobody can complete it any more.
// ranks: 2
// variant freed: -DWRONG => request-leak at 0@start
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  static int data[8];
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Psend_init(data, 2, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else
    MPI_Precv_init(data, 2, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);  // @start
  if (rank == 0) MPI_Pready_range(0, 1, request);
#ifdef WRONG
  if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
