// Requests live in a growing vector and are completed in reverse order.
// ranks: 2 3
// variant right: => pass
#include <mpi.h>

#include <list>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<MPI_Request> requests;
  std::list<std::vector<int>> blocks;
  for (int round = 0; round < 6; ++round) {
    for (int peer = 0; peer < size; ++peer) {
      if (peer == rank) continue;
      MPI_Request request;
      auto& out = blocks.emplace_back(100, rank);
      MPI_Isend(out.data(), 100, MPI_INT, peer, round, MPI_COMM_WORLD, &request);
      requests.push_back(request);
      auto& in = blocks.emplace_back(100);
      MPI_Irecv(in.data(), 100, MPI_INT, peer, round, MPI_COMM_WORLD, &request);
      requests.push_back(request);
    }
  }
  while (!requests.empty()) {
    MPI_Wait(&requests.back(), MPI_STATUS_IGNORE);
    requests.pop_back();
  }
  MPI_Finalize();
}
