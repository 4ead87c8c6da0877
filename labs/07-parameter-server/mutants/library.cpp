// Lab 7: a parameter server. Wrong: no server at all.
#include <algorithm>

#include "server.h"

void step(std::vector<float>& params, const std::vector<float>& gradient, int) {
  std::vector<float> sum(gradient.size());
  MPI_Allreduce(gradient.data(), sum.data(), static_cast<int>(sum.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < params.size(); ++i) params[i] += sum[i];
}

void serve(std::vector<float>& params, int steps, int limit) {
  const int p = lab::size(), count = static_cast<int>(params.size());
  std::vector<int> pushed(static_cast<std::size_t>(p), 0);
  std::vector<bool> waits(static_cast<std::size_t>(p), false);
  std::vector<float> came(params.size());
  for (int push = 0; push < (p - 1) * steps; ++push) {
    MPI_Status status;
    MPI_Recv(came.data(), count, MPI_FLOAT, MPI_ANY_SOURCE, kPush, MPI_COMM_WORLD, &status);
    for (std::size_t i = 0; i < params.size(); ++i) params[i] += came[i];
    ++pushed[static_cast<std::size_t>(status.MPI_SOURCE)];
    waits[static_cast<std::size_t>(status.MPI_SOURCE)] = true;
    const int slowest = *std::min_element(pushed.begin() + 1, pushed.end());
    for (std::size_t worker = 1; worker < pushed.size(); ++worker) {
      if (!waits[worker] || pushed[worker] - slowest > limit) continue;
      MPI_Send(params.data(), count, MPI_FLOAT, static_cast<int>(worker), kPull, MPI_COMM_WORLD);
      waits[worker] = false;
    }
  }
}
