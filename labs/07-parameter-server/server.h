// Given by the lab; not to be changed. Runs the training steps and compares the parameters with those of one process.
#pragma once
#include "lab.h"

/// A. One synchronous step. Every rank is a worker with a gradient of its own; ranks 0 … shards-1 also serve: rank s holds the
/// parameters of shard s, which is params.size() / shards numbers long. Afterwards every rank has
/// params + sum of all gradients.
void step(std::vector<float>& params, const std::vector<float>& gradient, int shards);

/// B. Rank 0 alone serves, the others are workers: `steps` times each pushes a gradient (tag kPush) and waits for the parameters
/// (tag kPull). A gradient is added as soon as it comes. A worker is answered once it is at most `limit` pushes ahead of the
/// slowest worker; with limit 0 that is a synchronous server. Returns when every push has been answered.
void serve(std::vector<float>& params, int steps, int limit);

constexpr int kSteps = 3;
constexpr int kPush = 0, kPull = 1, kGo = 2;

/// The gradient of a rank in a step.
inline float slope(int rank, int number, std::size_t i) { return static_cast<float>((rank + 1) * (number + 2) + static_cast<int>(i % 5)); }

/// A worker of part B. With a limit above 0 worker 1 is slow: it begins once worker 2 has pushed `limit` + 1 gradients.
inline int work(std::size_t count, int limit) {
  const int rank = lab::rank(), size = static_cast<int>(count);
  std::vector<float> gradient(count), params(count), wanted(count, 1);
  int wrong = 0;
  if (limit > 0 && rank == 1) MPI_Recv(nullptr, 0, MPI_BYTE, 2, kGo, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int number = 0; number < kSteps + limit; ++number) {
    for (std::size_t i = 0; i < count; ++i) gradient[i] = slope(rank, number, i);
    MPI_Ssend(gradient.data(), size, MPI_FLOAT, 0, kPush, MPI_COMM_WORLD);
    if (limit > 0 && rank == 2 && number == limit) MPI_Send(nullptr, 0, MPI_BYTE, 1, kGo, MPI_COMM_WORLD);
    MPI_Recv(params.data(), size, MPI_FLOAT, 0, kPull, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int worker = 1; worker < lab::size(); ++worker)
      for (std::size_t i = 0; i < count; ++i) wanted[i] += slope(worker, number, i);
    for (std::size_t i = 0; limit == 0 && i < count; ++i) wrong += params[i] != wanted[i] ? 1 : 0;  // stale ones differ
  }
  return wrong;
}

/// The server of part B: in the end every gradient has been added once, in whatever order.
inline int serve_all(std::size_t count, int limit) {
  std::vector<float> params(count, 1), wanted(count, 1);
  for (int worker = 1; worker < lab::size(); ++worker)
    for (int number = 0; number < kSteps + limit; ++number)
      for (std::size_t i = 0; i < count; ++i) wanted[i] += slope(worker, number, i);
  serve(params, kSteps + limit, limit);
  int wrong = params.size() == count ? 0 : 1;
  for (std::size_t i = 0; i < count && i < params.size(); ++i) wrong += params[i] != wanted[i] ? 1 : 0;
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const auto count = static_cast<std::size_t>(lab::argument(argc, argv, 1, 96)) / sizeof(float);
  const int shards = static_cast<int>(lab::argument(argc, argv, 2, 1));
  if (lab::word(argc, argv, 3, "all") == "serve") {
    const int limit = static_cast<int>(lab::argument(argc, argv, 4, 0));
    lab::number("wrong_parameters", lab::rank() == 0 ? serve_all(count, limit) : work(count, limit));
    MPI_Finalize();
    return 0;
  }
  std::vector<float> params(count, 1), wanted(count, 1), gradient(count);
  for (int number = 0; number < kSteps; ++number) {
    for (std::size_t i = 0; i < count; ++i) gradient[i] = slope(lab::rank(), number, i);
    step(params, gradient, shards);
    for (int rank = 0; rank < lab::size(); ++rank)
      for (std::size_t i = 0; i < count; ++i) wanted[i] += slope(rank, number, i);
  }
  int wrong = params.size() == count ? 0 : 1;
  for (std::size_t i = 0; i < count && i < params.size(); ++i)
    if (params[i] != wanted[i]) ++wrong;
  lab::number("wrong_parameters", wrong);
  MPI_Finalize();
}
