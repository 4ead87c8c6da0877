// The closed form of the schedule that a pipeline run was asked for.
#pragma once
#include "app/check/demo_run.h"

namespace p2plab::check {

/// The schedule by its name in `p2plab sim`: that of the knob, or "allreduce-" and it where all stages meet. Empty: no pipeline.
std::string pipeline_schedule(const RunRequest& request);

/// What a step of the demo pipeline is made of. Where the size of a microbatch is set they follow from it, as the demo works them
/// out (demos/pipeline/settings.cpp); 0 where no knob says.
struct PipelineUnits {
  std::int64_t microbatches = 0;
  double forward_us = 0, backward_us = 0;
};
PipelineUnits pipeline_units(const RunRequest& request);

/// Idle over total with equal stages and no latency, from the knobs `schedule`, `transport`, `forward_us` and
/// `backward_us`; (p-1)/(m+p-1) where they do not say. `microbatches`: what was run.
double pipeline_ideal_ratio(const RunRequest& request, int stages, int microbatches);

}  // namespace p2plab::check
