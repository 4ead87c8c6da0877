// One run on the virtual clock: asked for, checked, carried out, and its numbers under the names of CONTRACTS.md.
#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/analysis/in_flight.h"
#include "app/schedule/engine.h"
#include "app/trace/error.h"

namespace p2plab::check {

/// What `p2plab sim` and the window's studio ask for. Times are ns of one microbatch on a whole stage.
struct SimRequest {
  std::string schedule;                    ///< an id, or the path of a CSV file
  std::optional<int> stages, microbatches, chunks;
  schedule::Ns forward_ns = 1'000'000, backward_ns = 2'000'000;
  std::optional<schedule::Ns> weight_ns;   ///< W; without it the backward is whole, and halved where a schedule splits it
  std::vector<schedule::StageTime> times;  ///< per stage, or per stage and microbatch; empty: the times above for all
  schedule::LinkCost link;
  schedule::Ns optimizer_ns = 0;
  bool optimizer_sync = false;
  int iterations = 1;
  std::optional<int> memory_limit;         ///< activations in flight on a stage
  std::optional<double> weight_memory;     ///< share of an activation that W still needs
  bool keep = false;                       ///< keep every action and message, for a timeline
  bool curves = false;                     ///< in the JSON: activations in flight over time; needs `keep`
  /// Told now and then how many actions of all have been simulated; may throw to stop.
  std::function<void(std::int64_t done, std::int64_t all)> watch;
};

struct SimRun {
  SimRequest request;
  std::string name;                        ///< of the schedule
  schedule::Shape shape;
  schedule::Layout layout{{1, 1, 1}, schedule::Placement::loop};
  schedule::Costs costs;
  schedule::Simulated simulated;
  std::optional<schedule::Schedule> lists;  ///< of a schedule from a file
  const schedule::Generator* generator = nullptr;
  double seconds = 0;                      ///< what simulating took

  /// Idle over total of the ideal run: equal stages, no latency. Nothing where there is no closed form for it.
  std::optional<double> ideal_ratio() const;
  /// Why there is none: a text, or nothing where there is one.
  std::optional<TextRef> why_no_ideal() const;
  /// Idle time of all stages by cause, under the names of app/analysis; sums to p T - busy.
  std::vector<std::pair<std::string, schedule::Ns>> idle_by_cause;
  /// Peak activations in flight of a stage, in whole stages.
  double peak(std::size_t stage) const;
  bool splits() const;                     ///< B and W are actions of their own
};

/// Throws Error with exit status 2 for whatever cannot be simulated: a shape the schedule does not have, a file that is no
/// schedule or breaks a rule, times out of range, a memory limit that is not kept, a time beyond 64 bits.
SimRun simulate(const SimRequest& request);

/// Activations in flight over time, by stage, in whole stages. Needs SimRequest::keep, else nothing.
std::vector<std::vector<analysis::InFlight>> in_flight(const SimRun& run);

/// The schedule itself, as lists.
schedule::Schedule schedule_of(const SimRun& run);

/// The object of CONTRACTS.md "p2plab sim".
nlohmann::ordered_json to_json(const SimRun& run);

}  // namespace p2plab::check
