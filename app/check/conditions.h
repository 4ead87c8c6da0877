// Conditions of demo.toml on a run: "schedule = 1f1b", "semantics = nccl", "above_eager = true".
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace p2plab::check {

struct RunRequest;

/// By name what a run must have: the value of a knob; besides "strict", "semantics", "backend", "link", "compute", "ranks", "above_eager" = true|false
/// (the knob `bytes` against what MPI buffers) and "whole_rounds" = true|false (the microbatches are a multiple of the ranks).
/// "gpipe|1f1b": one of them will do. "!-1", of a knob: any other value.
using Conditions = std::map<std::string, std::string>;

/// The words of "gpipe|1f1b".
std::vector<std::string> alternatives(const std::string& value);

/// True when all of them hold. `eager_limit_bytes`: as measured; unknown it is neither above nor below.
bool hold(const Conditions& conditions, const RunRequest& request, std::optional<double> eager_limit_bytes = std::nullopt);

}  // namespace p2plab::check
