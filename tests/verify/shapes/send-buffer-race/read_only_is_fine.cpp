// Everything that only reads the buffer of an active send: comparing, copying out, printing, sending it again.
// ranks: 2
// variant right: => pass
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> data(500, 3), copy(500);
  if (rank == 0) {
    MPI_Request requests[2];
    MPI_Isend(data.data(), 500, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
    copy = data;
    const bool same = std::memcmp(copy.data(), data.data(), sizeof(int) * 500) == 0 && std::equal(copy.begin(), copy.end(), data.begin());
    std::printf("%d %d\n", same ? 1 : 0, std::accumulate(data.begin(), data.end(), 0));
    MPI_Isend(data.data(), 500, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Send(data.data(), 250, MPI_INT, 1, 2, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    for (int tag = 0; tag < 3; ++tag) MPI_Recv(data.data(), 500, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
