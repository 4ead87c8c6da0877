// --stage-times FILE: how long F, B and W take on each stage. A table, or a saved trace whose means are taken.
#pragma once
#include <string>
#include <vector>

#include "app/schedule/costs.h"

namespace p2plab::cli {

/// The table is CSV with a heading, `stage,forward,backward[,weight]` or `stage,microbatch,forward,backward[,weight]`, every
/// duration with its unit, every stage (and microbatch) once. Returns one time per stage, or one per stage and microbatch.
/// Throws Error "sim.times.*" with the line.
std::vector<schedule::StageTime> read_stage_times(const std::string& file);

}  // namespace p2plab::cli
