// A broadcast's data is used before the wait; the root may read what it sends.
// ranks: 2 3
// variant wrong: -DWRONG => recv-buffer-race
// variant root-reads: => pass
#include <mpi.h>

#include <numeric>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> weights(2000, rank == 0 ? 1 : 0);
  int sum = 0;
  MPI_Request request;
  MPI_Ibcast(weights.data(), 2000, MPI_INT, 0, MPI_COMM_WORLD, &request);
#ifdef WRONG
  const bool early = true;
#else
  const bool early = rank == 0;
#endif
  if (early) sum = std::accumulate(weights.begin(), weights.end(), 0);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (!early) sum = std::accumulate(weights.begin(), weights.end(), 0);
  MPI_Finalize();
  return sum == 2000 ? 0 : (rank == 0);
}
