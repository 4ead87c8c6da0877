// Two buffers change their roles before the receive into one of them is complete.
// ranks: 2
// sizes: small -DN=100, large -DN=30000
// variant wrong: -DWRONG => recv-buffer-race
// variant right: => pass
#include <mpi.h>

#include <numeric>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> now(N, 1), next(N, 1);
  long total = 0;
  for (int step = 0; step < 4; ++step) {
    if (rank == 0) {
      MPI_Send(now.data(), N, MPI_INT, 1, step, MPI_COMM_WORLD);
      continue;
    }
    MPI_Request request;
    MPI_Irecv(next.data(), N, MPI_INT, 0, step, MPI_COMM_WORLD, &request);
#ifdef WRONG
    now.swap(next);
    total += std::accumulate(now.begin(), now.end(), 0L);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
    total += std::accumulate(now.begin(), now.end(), 0L);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    now.swap(next);
#endif
  }
  MPI_Finalize();
  return total < 0;
}
