// Lab 6: all-reduce out of point-to-point messages. Wrong: one part after the other goes around, while the other ranks stand by.
#include <cmath>

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

void all_reduce_tree(std::vector<float>& data) {
  const int p = lab::size(), rank = lab::rank(), count = static_cast<int>(data.size());
  std::vector<float> came(data.size());
  for (int apart = 1; apart < p; apart *= 2) {  // to rank 0
    if (rank % (2 * apart) == apart) MPI_Send(data.data(), count, MPI_FLOAT, rank - apart, 0, MPI_COMM_WORLD);
    if (rank % (2 * apart) != 0) continue;
    MPI_Recv(came.data(), count, MPI_FLOAT, rank + apart, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] += came[i];
  }
  for (int apart = p / 2; apart > 0; apart /= 2) {  // and back
    if (rank % (2 * apart) == 0) MPI_Send(data.data(), count, MPI_FLOAT, rank + apart, 1, MPI_COMM_WORLD);
    if (rank % (2 * apart) == apart) MPI_Recv(data.data(), count, MPI_FLOAT, rank - apart, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

Forecast forecast(double a, double b, double bytes, int p) {
  const double hops = p - 1, depth = std::log2(p);
  Forecast out;
  out.ring_over_p2p = (2 * hops * a + 2 * hops / p * b * bytes) / (a + b * bytes);
  out.crossover_bytes = a / b * (hops - depth) / (depth - hops / p);
  return out;
}
