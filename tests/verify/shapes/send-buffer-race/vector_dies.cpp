// A vector goes out of scope, or grows and moves, while its elements are being sent.
// ranks: 2
// sizes: tiny -DN=16, large -DN=40000
// variant scope: -DWRONG=1 => send-buffer-race
// variant grows: -DWRONG=2 => send-buffer-race
// variant right: => pass
// quick: scope/tiny
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request = MPI_REQUEST_NULL;
    {
      std::vector<double> values(N, 3.5);
      MPI_Isend(values.data(), N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
#if WRONG == 2
      for (int i = 0; i < N; ++i) values.push_back(i);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
#elif !defined(WRONG)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    std::vector<double> values(N);
    MPI_Recv(values.data(), N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
