// Each thread declares its own partition ready, over several rounds.
// ranks: 2
// cflags: -pthread
// variant right: => pass
#include <mpi.h>

#include <thread>
#include <vector>

int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  constexpr int parts = 4, each = 50;
  std::vector<double> data(parts * each);
  MPI_Request request;
  if (rank == 0)
    MPI_Psend_init(data.data(), parts, each, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  else
    MPI_Precv_init(data.data(), parts, each, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int round = 0; round < 3; ++round) {
    MPI_Start(&request);
    if (rank == 0) {
      std::vector<std::thread> team;
      for (int p = 0; p < parts; ++p)
        team.emplace_back([&, p] {
          for (int i = 0; i < each; ++i) data[p * each + i] = round + p;
          MPI_Pready(p, request);
        });
      for (auto& member : team) member.join();
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1 && data[parts * each - 1] != round + parts - 1) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Request_free(&request);
  MPI_Finalize();
}
