// Lab 7: a parameter server. Wrong: a server that is behind answers with nothing.
#include <algorithm>

#include "server.h"

void step(std::vector<float>& params, const std::vector<float>& gradient, int shards) {
  const int p = lab::size(), rank = lab::rank();
  const bool serves = rank < shards;
  const std::size_t part = params.size() / static_cast<std::size_t>(shards);
  const int count = static_cast<int>(part);
  const auto shard = [&](int s) { return part * static_cast<std::size_t>(s); };
  std::vector<std::vector<float>> pushed(static_cast<std::size_t>(p), std::vector<float>(part));
  std::vector<MPI_Request> requests;

  // Push: to each server its shard of the gradient.
  for (int r = 0; r < p && serves; ++r)
    if (r != rank) MPI_Irecv(pushed[static_cast<std::size_t>(r)].data(), count, MPI_FLOAT, r, 0, MPI_COMM_WORLD, &requests.emplace_back());
  for (int s = 0; s < shards; ++s)
    if (s != rank) MPI_Isend(gradient.data() + shard(s), count, MPI_FLOAT, s, 0, MPI_COMM_WORLD, &requests.emplace_back());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  requests.clear();

  for (std::size_t i = 0; i < part && serves; ++i) {
    params[shard(rank) + i] += gradient[shard(rank) + i];
    for (const auto& from : pushed) params[shard(rank) + i] += from[i];
  }

  // Pull: from each server its shard of the parameters.
  for (int s = 0; s < shards; ++s)
    if (s != rank) MPI_Irecv(params.data() + shard(s), count, MPI_FLOAT, s, 1, MPI_COMM_WORLD, &requests.emplace_back());
  for (int r = 0; r < p && serves; ++r)
    if (r != rank) MPI_Isend(params.data() + shard(rank), count, MPI_FLOAT, r, 1, MPI_COMM_WORLD, &requests.emplace_back());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
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
      MPI_Send(params.data(), limit > 0 ? 0 : count, MPI_FLOAT, static_cast<int>(worker), kPull, MPI_COMM_WORLD);
      waits[worker] = false;
    }
  }
}
