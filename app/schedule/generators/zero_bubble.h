// What ZB-H1 and ZB-H2 share (2401.10241 section 2): 1F1B whose backward is split, with each stage holding back so many W
// that all stages keep the same memory; the W held back fill the ramp down.
#pragma once
#include <algorithm>

#include "app/schedule/schedule.h"

namespace p2plab::schedule::made {

/// Action k of 3m: `warm_up` forwards; then F and B in turn, with a W after each B once more than `held_back` backwards are
/// done; then B and W in turn; then the W that are left.
constexpr Action zero_bubble_step(std::int64_t m, std::int64_t warm_up, std::int64_t held_back, std::int64_t k) {
  const std::int64_t w = std::min(warm_up, m), steady = m - w, pairs = std::min(held_back, steady);
  if (k < w) return forward(k);
  k -= w;
  if (k < 2 * pairs) return k % 2 == 0 ? forward(w + k / 2) : input(k / 2);
  k -= 2 * pairs;
  if (k < 3 * (steady - pairs)) {
    const std::int64_t j = k / 3;
    return k % 3 == 0 ? forward(w + pairs + j) : k % 3 == 1 ? input(pairs + j) : weight(j);
  }
  k -= 3 * (steady - pairs);
  const std::int64_t weights = steady - pairs;
  if (k < 2 * w) return k % 2 == 0 ? input(steady + k / 2) : weight(weights + k / 2);
  return weight(weights + w + (k - 2 * w));
}

}  // namespace p2plab::schedule::made
