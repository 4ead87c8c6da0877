// Bodies travel round the ring in a second buffer while forces on the first are computed.
// ranks: 3
// variant right: => pass
// variant wrong: -DWRONG => recv-buffer-race|send-buffer-race
#include <mpi.h>

#include <array>
#include <vector>

using Body = std::array<double, 4>;

static double pull(const std::vector<Body>& mine, const std::vector<Body>& theirs) {
  double f = 0;
  for (const Body& a : mine)
    for (const Body& b : theirs) f += a[3] * b[3] / (1 + (a[0] - b[0]) * (a[0] - b[0]));
  return f;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<Body> mine(20, Body{1.0 * rank, 0, 0, 1}), travelling = mine, arriving(20);
  double force = 0;
  for (int step = 0; step < size; ++step) {
    MPI_Request requests[2];
    MPI_Isend(travelling.data(), 80, MPI_DOUBLE, (rank + 1) % size, step, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(arriving.data(), 80, MPI_DOUBLE, (rank + size - 1) % size, step, MPI_COMM_WORLD, &requests[1]);
#ifdef WRONG
    force += pull(mine, arriving);
#else
    force += pull(mine, travelling);
#endif
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    travelling.swap(arriving);
  }
  MPI_Finalize();
  return force > 0 ? 0 : 1;
}
