// Every rank sends to every other before it receives from any.
// ranks: 3 5
// sizes: tiny -DN=2, small -DN=256
// variant wrong: -DWRONG => unsafe-buffering
// variant right: => pass
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<std::vector<int>> out(size, std::vector<int>(N, rank)), in(size, std::vector<int>(N));
#ifdef WRONG
  for (int to = 0; to < size; ++to)
    if (to != rank) MPI_Send(out[to].data(), N, MPI_INT, to, 0, MPI_COMM_WORLD);
  for (int from = 0; from < size; ++from)
    if (from != rank) MPI_Recv(in[from].data(), N, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  std::vector<MPI_Request> requests;
  requests.reserve(2 * size);
  for (int other = 0; other < size; ++other) {
    if (other == rank) continue;
    MPI_Irecv(in[other].data(), N, MPI_INT, other, 0, MPI_COMM_WORLD, &requests.emplace_back());
    MPI_Isend(out[other].data(), N, MPI_INT, other, 0, MPI_COMM_WORLD, &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
#endif
  for (int from = 0; from < size; ++from)
    if (from != rank && in[from][N - 1] != from) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Finalize();
}
