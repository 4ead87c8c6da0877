// A remainder is given to the wrong rank: what Scatterv sends and what a rank expects differ.
// ranks: 3
// variant wrong: -DWRONG => collective-mismatch|size-mismatch
// variant right: => pass
#include <mpi.h>

#include <numeric>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int total = 10;
  std::vector<int> data(total), counts(size, total / size), starts(size, 0);
  std::iota(data.begin(), data.end(), 0);
  counts[size - 1] += total % size;
  std::partial_sum(counts.begin(), counts.end() - 1, starts.begin() + 1);
#ifdef WRONG
  const int mine = total / size;
#else
  const int mine = counts[rank];
#endif
  std::vector<int> part(counts[rank]);
  MPI_Scatterv(data.data(), counts.data(), starts.data(), MPI_INT, part.data(), mine, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
