// The closed form of the schedule that a pipeline run was asked for.
#pragma once
#include "app/check/demo_run.h"

namespace p2plab::check {

/// The schedule by its name in `p2plab sim`: that of the knob, or "allreduce-" and it where all stages meet. Empty: no pipeline.
std::string pipeline_schedule(const RunRequest& request);

/// Idle over total with equal stages and no latency, from the knobs `schedule`, `transport`, `forward_us` and
/// `backward_us`; (p-1)/(m+p-1) where they do not say. `microbatches`: what was run.
double pipeline_ideal_ratio(const RunRequest& request, int stages, int microbatches);

}  // namespace p2plab::check
