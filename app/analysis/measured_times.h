// How long F, B and W really took: what a measured pipeline run is compared with its own ideal by.
#pragma once
#include <optional>
#include <vector>

#include "app/analysis/pipeline_step.h"
#include "app/schedule/costs.h"
#include "app/schedule/schedule.h"

namespace p2plab::analysis {

struct MeasuredTimes {
  schedule::Schedule schedule;               ///< the order in which each rank ran its actions
  std::vector<schedule::StageTime> stages;   ///< means per stage, of a microbatch on all its chunks
};

/// Of the last step of a pipeline run. Throws Error "sim.no_pipeline" where the trace has no complete step: F and B of every
/// microbatch on every stage.
MeasuredTimes measured_times(const trace::Trace& trace);
/// The same of one step; nothing if it is not complete.
std::optional<MeasuredTimes> measured_times(const PipelineStep& step);

}  // namespace p2plab::analysis
