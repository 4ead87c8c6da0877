// Given by the lab; not to be changed. Runs one of your all-reduces once and compares the sums, and asks for your forecasts.
#pragma once
#include "lab.h"

/// A. Leaves in `data`, on every rank, the sums over all ranks. `count` is a multiple of the number of ranks.
void all_reduce(std::vector<float>& data);

/// B. The same sums along a tree: to rank 0 in log2(p) steps, and back in as many; each message is the whole buffer. Here the
/// number of ranks is a power of two.
void all_reduce_tree(std::vector<float>& data);

/// B. What is to be expected of a link on which a message of n bytes takes a + b·n nanoseconds.
struct Forecast {
  double ring_over_p2p = 0;   ///< time of the ring over that of sending `bytes` once from one rank to another
  double crossover_bytes = 0; ///< size at which ring and tree take the same time: the tree is faster below it
};
Forecast forecast(double a, double b, double bytes, int p);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const auto count = static_cast<std::size_t>(lab::argument(argc, argv, 1, 96)) / sizeof(float);
  const bool tree = lab::word(argc, argv, 2, "ring") == "tree";
  const auto value = [](int rank, std::size_t i) { return static_cast<float>((rank + 1) * static_cast<int>(i % 7 + 1)); };
  std::vector<float> data(count);
  for (std::size_t i = 0; i < count; ++i) data[i] = value(lab::rank(), i);
  tree ? all_reduce_tree(data) : all_reduce(data);
  int wrong = data.size() == count ? 0 : 1;
  for (std::size_t i = 0; i < data.size(); ++i) {
    float sum = 0;
    for (int rank = 0; rank < lab::size(); ++rank) sum += value(rank, i);
    if (data[i] != sum) ++wrong;
  }
  lab::number("wrong_sums", wrong);
  if (tree) {
    lab::number("ring_over_p2p", forecast(40000, 0.8, 3e5, 16).ring_over_p2p);  // 40 us, 1.25 GB/s
    lab::number("crossover_bytes", forecast(5000, 0.02, 0, 8).crossover_bytes);  // 5 us, 50 GB/s
  }
  MPI_Finalize();
}
