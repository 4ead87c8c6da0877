// One iteration of a pipeline, cut out of a trace: what each rank ran, and when it computed.
#pragma once
#include <vector>

#include "app/analysis/overlap.h"

namespace p2plab::analysis {

/// One F or B of a microbatch.
struct PipelineAction {
  trace::Ns begin = 0, end = 0;
  bool forward = true;
  int microbatch = 0;
};

struct PipelineStep {
  Window window;                                     ///< first start to last end of an action over all ranks
  std::vector<std::vector<PipelineAction>> actions;  ///< per rank, by begin
  std::vector<std::vector<Window>> busy;             ///< per rank: union of all compute spans, clipped to the window
};

/// All iterations that every stage has begun, in order.
std::vector<PipelineStep> pipeline_steps(const trace::Trace& trace);

/// Sorted, and merged where they touch.
std::vector<Window> merged(std::vector<Window> windows);

}  // namespace p2plab::analysis
