// Given by the lab; not to be changed. Runs three training steps and compares the parameters with those of one process.
#pragma once
#include "lab.h"

/// One synchronous step. Every rank is a worker with a gradient of its own; ranks 0 … shards-1 also serve: rank s holds the
/// parameters of shard s, which is params.size() / shards numbers long. Afterwards every rank has
/// params + sum of all gradients.
void step(std::vector<float>& params, const std::vector<float>& gradient, int shards);

constexpr int kSteps = 3;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const auto count = static_cast<std::size_t>(lab::argument(argc, argv, 1, 96)) / sizeof(float);
  const int shards = static_cast<int>(lab::argument(argc, argv, 2, 1));
  const auto slope = [](int rank, int number, std::size_t i) { return static_cast<float>((rank + 1) * (number + 2) + static_cast<int>(i % 5)); };
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
