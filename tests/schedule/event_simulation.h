// A schedule on an exact clock: unit costs, a one-way latency, senders never held.
#pragma once
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "app/schedule/schedule.h"

namespace p2plab::test {

struct Simulated {
  int makespan = 0;
  std::vector<int> peak_in_flight;  ///< per stage
};

inline Simulated simulate(const std::vector<schedule::StageOrder>& stages, int forward, int backward, int latency = 0) {
  using schedule::Op;
  const std::size_t p = stages.size(), m = stages[0].size() / 2;
  const std::vector<std::vector<int>> never(p, std::vector<int>(m, -1));
  auto forward_end = never, backward_end = never;
  std::vector<std::size_t> next(p, 0);
  std::vector<int> clock(p, 0), in_flight(p, 0);
  Simulated result{0, std::vector<int>(p, 0)};
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t s = 0; s < p; ++s) {
      while (next[s] < stages[s].size()) {
        const auto& action = stages[s][next[s]];
        const auto i = static_cast<std::size_t>(action.microbatch);
        const bool is_forward = action.op == Op::forward;
        int arrival = 0;
        if (is_forward && s > 0) arrival = forward_end[s - 1][i];
        if (!is_forward && s + 1 < p) arrival = backward_end[s + 1][i];
        if (arrival < 0) break;
        if (arrival > 0) arrival += latency;
        clock[s] = std::max(clock[s], arrival) + (is_forward ? forward : backward);
        (is_forward ? forward_end : backward_end)[s][i] = clock[s];
        in_flight[s] += is_forward ? 1 : -1;
        result.peak_in_flight[s] = std::max(result.peak_in_flight[s], in_flight[s]);
        ++next[s];
        moved = true;
      }
    }
  }
  for (std::size_t s = 0; s < p; ++s)
    if (next[s] < stages[s].size()) throw std::logic_error("the schedule stands still");
  result.makespan = *std::max_element(clock.begin(), clock.end());
  return result;
}

}  // namespace p2plab::test
