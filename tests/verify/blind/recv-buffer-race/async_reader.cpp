// A std::async task sums what is being received.
// ranks: 2
// cflags: -pthread
// variant wrong: -DWRONG => recv-buffer-race
// variant right: => pass
#include <mpi.h>

#include <future>
#include <numeric>
#include <vector>

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> data(3000, 1);
  int sum = 0;
  if (rank == 0) {
    MPI_Send(data.data(), 3000, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request r;
    MPI_Irecv(data.data(), 3000, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
#ifndef WRONG
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    auto task = std::async(std::launch::async, [&] { return std::accumulate(data.begin(), data.end(), 0); });
    sum = task.get();
#ifdef WRONG
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
  }
  MPI_Finalize();
  return sum < 0;
}
