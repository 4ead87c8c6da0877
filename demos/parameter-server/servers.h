// The arithmetic of parameter servers: what passes the busiest port, and how stale a gradient can be.
#pragma once
#include <algorithm>
#include <vector>

/// Bytes through the busiest port, one way, in one synchronous step of n workers with gradients of `bytes`: push and pull.
/// k separate servers: each takes n/k of the gradients, each worker its own once (BytePS, OSDI'20, 2.2).
inline double hottest_separate(int n, int k, double bytes) { return std::max(bytes, n * bytes / k); }
/// s shards on the first s of the workers: such a rank also pushes to the other shards.
inline double hottest_on_workers(int n, int s, double bytes) { return (n + s - 2) * bytes / s; }
/// A ring over the workers.
inline double hottest_ring(int n, double bytes) { return 2 * (n - 1) * bytes / n; }

/// The most updates that the parameters can have got between a worker's pull and its push, where no worker may be more than
/// `ahead` steps ahead of another: each other worker was at most `ahead` behind, and ends at most `ahead` + 1 beyond.
inline int largest_staleness(int workers, int ahead) { return (workers - 1) * (2 * ahead + 1); }

/// How many gradients were 0, 1, 2 … updates old.
class Histogram {
 public:
  void add(int staleness) {
    if (counts_.size() <= static_cast<std::size_t>(staleness)) counts_.resize(static_cast<std::size_t>(staleness) + 1);
    ++counts_[static_cast<std::size_t>(staleness)];
  }
  const std::vector<int>& counts() const { return counts_; }
  int largest() const { return static_cast<int>(counts_.size()) - 1; }
  double mean() const {
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) sum += static_cast<double>(i) * counts_[i], all += counts_[i];
    return all > 0 ? sum / all : 0;
  }

 private:
  std::vector<int> counts_;
};
