// Checks that orders are a legal schedule: complete, and free of a circular wait.
#include <algorithm>

#include "app/schedule/order.h"

namespace p2plab::schedule {
namespace {

/// What has run so far: per stage and microbatch.
using Done = std::vector<std::vector<bool>>;

bool ready(const Action& a, std::size_t stage, const Done& forward, const Done& backward) {
  const auto i = static_cast<std::size_t>(a.microbatch);
  if (a.op == Op::forward) return stage == 0 || forward[stage - 1][i];
  return forward[stage][i] && (stage + 1 == forward.size() || backward[stage + 1][i]);
}

std::string at(const Action& a, std::size_t stage) { return to_string(a) + " on stage " + std::to_string(stage); }

}  // namespace

std::string find_fault(Shape shape, const std::vector<StageOrder>& stages) {
  const auto p = static_cast<std::size_t>(shape.stages), m = static_cast<std::size_t>(shape.microbatches);
  if (stages.size() != p) return "there are orders for " + std::to_string(stages.size()) + " stages";
  for (std::size_t s = 0; s < p; ++s) {
    for (const Action& a : stages[s]) {
      if (a.microbatch < 0 || static_cast<std::size_t>(a.microbatch) >= m) return at(a, s) + " has no such microbatch";
      if (std::count(stages[s].begin(), stages[s].end(), a) > 1) return at(a, s) + " occurs twice";
    }
    if (stages[s].size() != 2 * m) return "stage " + std::to_string(s) + " leaves out an action";
  }

  Done forward(p, std::vector<bool>(m)), backward = forward;
  std::vector<std::size_t> next(p, 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t s = 0; s < p; ++s) {
      while (next[s] < stages[s].size() && ready(stages[s][next[s]], s, forward, backward)) {
        const Action& a = stages[s][next[s]++];
        (a.op == Op::forward ? forward : backward)[s][static_cast<std::size_t>(a.microbatch)] = true;
        moved = true;
      }
    }
  }
  for (std::size_t s = 0; s < p; ++s)
    if (next[s] < stages[s].size()) return at(stages[s][next[s]], s) + " waits for what never comes";
  return {};
}

}  // namespace p2plab::schedule
