// A recursive divide and conquer over ranks: send half away, work, receive it back.
// ranks: 2 4
// sizes: small -DN=256, large -DN=32768
// variant right: => pass
#include <mpi.h>

#include <algorithm>
#include <random>
#include <vector>

static void sort_here(std::vector<int>& data, int rank, int helpers) {
  if (helpers == 1) {
    std::sort(data.begin(), data.end());
    return;
  }
  const int half = helpers / 2, helper = rank + half;
  std::vector<int> away(data.begin() + static_cast<std::ptrdiff_t>(data.size() / 2), data.end());
  data.resize(data.size() / 2);
  const int count = static_cast<int>(away.size());
  MPI_Send(away.data(), count, MPI_INT, helper, half, MPI_COMM_WORLD);
  sort_here(data, rank, half);
  MPI_Recv(away.data(), count, MPI_INT, helper, half, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::vector<int> both(data.size() + away.size());
  std::merge(data.begin(), data.end(), away.begin(), away.end(), both.begin());
  data.swap(both);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    std::vector<int> data(N);
    std::mt19937 random(7);
    for (int& x : data) x = static_cast<int>(random() % 1000);
    sort_here(data, 0, size);
    if (!std::is_sorted(data.begin(), data.end())) MPI_Abort(MPI_COMM_WORLD, 1);
  } else {
    MPI_Status status;
    int count;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    std::vector<int> data(static_cast<std::size_t>(count));
    MPI_Recv(data.data(), count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sort_here(data, rank, status.MPI_TAG);
    MPI_Send(data.data(), count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
