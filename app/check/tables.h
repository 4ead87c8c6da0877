// Tables of results: what the ranks of a run handed over row by row (World::row).
#pragma once
#include <nlohmann/json.hpp>
#include <optional>

#include "app/check/demo_results.h"
#include "app/trace/trace.h"

namespace p2plab::check {

/// By name, each an array of objects: the rows in the order in which the ranks made them, rank by rank.
nlohmann::ordered_json tables(const trace::Trace& trace);

/// alpha_ns, beta_bytes_per_s, n_half_bytes of a table, and step_ns above the size `step_above`; empty while there is too
/// little of it. Sizes of 0 bytes count.
nlohmann::ordered_json fitted(const FitSpec& fit, const nlohmann::ordered_json& table, std::optional<double> step_above);

}  // namespace p2plab::check
