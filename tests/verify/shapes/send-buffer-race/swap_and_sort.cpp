// Algorithms of the C++ library write into the vector that is being sent.
// ranks: 2
// sizes: tiny -DN=16, large -DN=30000
// variant sort: -DHOW=1 => send-buffer-race at 0@isend
// variant fill: -DHOW=2 => send-buffer-race at 0@isend
// variant swap: -DHOW=3 => pass
#include <mpi.h>

#include <algorithm>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> front(N), back(N);
  for (int i = 0; i < N; ++i) front[i] = (i * 7919) % N;
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(front.data(), N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @isend
#if HOW == 1
    std::sort(front.begin(), front.end());
#elif HOW == 2
    std::fill(front.begin(), front.end(), 0);
#else
    front.swap(back);  // moves no element
    front[0] = 1;
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(front.data(), N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
