// What the 1F1B family shares: some forwards to warm up, then one F and one B in turn, then the backwards that are left.
#pragma once
#include <algorithm>
#include <cstdint>

namespace p2plab::schedule::made {

struct Step {
  bool forward = true;
  std::int64_t index = 0;  ///< of n
};

/// Step k of 2n.
constexpr Step one_f_one_b_step(std::int64_t warm_up, std::int64_t n, std::int64_t k) {
  const std::int64_t w = std::min(warm_up, n);
  if (k < w) return {true, k};
  if (const std::int64_t j = k - w; j < 2 * (n - w)) return j % 2 == 0 ? Step{true, w + j / 2} : Step{false, j / 2};
  return {false, k - n};
}

/// (p-1)(F+B+W): one ramp up, one ramp down.
constexpr double ramp(int stages, double forward, double input, double weight) {
  return (stages - 1) * (forward + input + weight);
}

}  // namespace p2plab::schedule::made
