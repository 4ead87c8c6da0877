// Everybody waits for one rank that computes, or sleeps, before it sends.
// ranks: 2 4
// timeout: 60
// variant compute: => pass
// variant sleep: -DSLEEP => pass
#include <mpi.h>

#include <chrono>
#include <cmath>
#include <thread>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double result = 0;
  if (rank == size - 1) {
#ifdef SLEEP
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
#else
    for (int i = 1; i < 6000000; ++i) result += std::sin(i) / i;
#endif
    for (int r = 0; r < rank; ++r) MPI_Ssend(&result, 1, MPI_DOUBLE, r, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&result, 1, MPI_DOUBLE, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
