// A receive is posted, its message comes, and nobody ever completes it.
// ranks: 2 3
// sizes: tiny -DN=1, large -DN=16384
// variant wrong: -DWRONG => request-leak at 1@irecv
// variant right: => pass
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<float> data(N);
  if (rank == 0) MPI_Send(data.data(), N, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Request request;
    MPI_Irecv(data.data(), N, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#ifdef WRONG
    int flag = 0;
    while (!flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);  // looks, but does not free
#else
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
  }
  MPI_Finalize();
}
