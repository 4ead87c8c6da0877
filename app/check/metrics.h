// The numbers of a run, under the names of CONTRACTS.md: what the program measured and what the trace shows.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "app/check/demo_run.h"

namespace p2plab::check {

/// A count that may be a fraction (half an activation): a whole number in JSON where it is one.
nlohmann::ordered_json count_json(double value);

/// Metric of the program over all ranks: the sum for counts of bytes that arrived wrong, else the largest. Nothing if no
/// rank recorded it.
std::optional<double> program_metric(const trace::Trace& trace, std::string_view name);

/// All metrics that the manifest lists, null where there is no value, then whatever else the program measured.
nlohmann::ordered_json metrics(const DemoManifest& demo, const RunRequest& request, const trace::Trace& trace);

/// Nulls what only a complete last step can tell: a run that was cut has no bubble, no step and no gradient.
void forget_step(nlohmann::ordered_json& metrics);

/// Medians over several runs: each metric becomes {"median", "min", "max", "n"}, lists element by element, tables
/// (idle_by_cause) name by name.
nlohmann::ordered_json over_runs(const std::vector<nlohmann::ordered_json>& runs);

}  // namespace p2plab::check
