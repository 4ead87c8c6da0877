// Lab 6: all-reduce out of point-to-point messages. Wrong: one part after the other goes around, while the other ranks stand by.
#include "all_reduce.h"

void all_reduce(std::vector<float>& data) {
  const int p = lab::size(), rank = lab::rank(), next = (rank + 1) % p, before = (rank + p - 1) % p;
  const std::size_t part = data.size() / static_cast<std::size_t>(p);
  const int count = static_cast<int>(part);
  std::vector<float> came(part);
  for (int k = 0; k < p; ++k) {  // part k begins at rank k, is summed at rank k - 1, and goes on from there to rank k - 2
    float* own = data.data() + part * static_cast<std::size_t>(k);
    const int place = (rank - k + p) % p;
    if (place > 0) {
      MPI_Recv(came.data(), count, MPI_FLOAT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (std::size_t i = 0; i < part; ++i) own[i] += came[i];
    }
    MPI_Send(own, count, MPI_FLOAT, next, 0, MPI_COMM_WORLD);
    if (place < p - 1) MPI_Recv(own, count, MPI_FLOAT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (place < p - 2) MPI_Send(own, count, MPI_FLOAT, next, 0, MPI_COMM_WORLD);
  }
}
