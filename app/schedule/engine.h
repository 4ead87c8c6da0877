// The virtual clock: runs a program on modelled time, to the nanosecond, always with the same result. Memory follows what
// is kept: without `keep` only what is in flight, so tens of thousands of stages fit.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "app/schedule/costs.h"
#include "app/schedule/program.h"

namespace p2plab::schedule {

/// Why a stage was idle; the causes sum to makespan - busy.
enum class Idle : std::uint8_t {
  warm_up,   ///< before its first action
  drain,     ///< after its last one
  upstream,  ///< the neighbour had not yet made what comes next
  transfer,  ///< it was made and still on its way
  meeting,   ///< all stages were to meet, and not all had come; the all-reduce itself
};
constexpr std::size_t kIdleCauses = 5;

struct StageTotals {
  Ns begin = 0, end = 0;  ///< of its first and its last action
  Ns busy = 0;
  std::array<Ns, kIdleCauses> idle{};
  std::int64_t peak = 0;         ///< most activations in flight, in thousandths of a chunk (Costs::weight_memory)
  std::int64_t sent = 0;         ///< messages
};

/// One action as it ran.
struct Ran {
  Ns begin = 0, end = 0;
  Action action;
  std::int32_t stage = 0, iteration = 0;
};

/// One message as it travelled.
struct Moved {
  Ns sent = 0;     ///< made and handed over
  Ns left = 0;     ///< a port was free for it
  Ns arrived = 0;  ///< whole, at the receiver
  std::int32_t from = 0, to = 0;  ///< stages
  std::int32_t microbatch = 0, iteration = 0;
  std::int16_t chunk = 0;  ///< of the receiver
  bool forward = true;
};

struct Simulated {
  Ns makespan = 0;
  std::vector<StageTotals> stages;
  std::vector<Ns> iteration_end;  ///< last F, B or W of each iteration
  std::int64_t actions = 0;       ///< F, B and W
  std::int64_t messages = 0;
  std::vector<Ran> ran;      ///< by stage, then by time; only with `keep`
  std::vector<Moved> moved;  ///< in no order; only with `keep`

  /// The longest time that a stage takes from its first action to its last: the ruler of the zero-bubble paper.
  Ns longest_window() const;
  /// Idle over total, all stages: 1 - busy / (p T).
  double bubble_ratio() const;
};

/// Told now and then how many actions have run; what it throws ends the simulation.
using Watch = std::function<void(std::int64_t actions)>;

/// Throws Error "sim.overflow" when a time leaves 64 bits, "schedule.fault.stuck" when nobody can move, and
/// "sim.streams_cross" when two stages wait for each other's messages above the eager limit.
Simulated simulate(const Program& program, const Costs& costs, int iterations = 1, bool keep = false, const Watch& watch = {});

}  // namespace p2plab::schedule
