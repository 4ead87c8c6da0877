// Demos that run many steps of a pipeline: what the trace shows of each becomes columns of their table, and numbers of a
// demo are made of cells ([steps] and [[derived]] of demo.toml).
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/trace/trace.h"

namespace p2plab::check {

struct RunRequest;

/// A metric made of others: `value`, `value` over `over`, or `value` less `minus`. They are paths as claims have them, with
/// {knob} for its value.
struct DerivedSpec {
  std::string metric, value, over, minus{};
};

/// Rows that name a step by `iteration`, from 0, get step_ns, bubble_ratio, idle_ns (of a rank on average), peak_in_flight
/// (of the stage that keeps most) and message_count, as app/analysis defines them; null while the step is not complete.
void add_steps(nlohmann::ordered_json& table, const trace::Trace& trace);

/// Null where a cell is missing.
void add_derived(nlohmann::ordered_json& metrics, const std::vector<DerivedSpec>& derived, const RunRequest& request);

}  // namespace p2plab::check
