// Lab 6: all-reduce out of point-to-point messages. Wrong: everything through rank 0.
#include <cmath>

#include "all_reduce.h"

void all_reduce(std::vector<float>& data) {
  const int count = static_cast<int>(data.size());
  std::vector<float> came(data.size());
  if (lab::rank() != 0) {
    MPI_Send(data.data(), count, MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(data.data(), count, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  for (int rank = 1; rank < lab::size(); ++rank) {
    MPI_Recv(came.data(), count, MPI_FLOAT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] += came[i];
  }
  for (int rank = 1; rank < lab::size(); ++rank) MPI_Send(data.data(), count, MPI_FLOAT, rank, 0, MPI_COMM_WORLD);
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
