// Why the ranks of a pipeline step were idle. The rules stand in pipeline.h.
#pragma once
#include <map>

#include "app/analysis/pipeline.h"
#include "app/analysis/pipeline_step.h"

namespace p2plab::analysis {

/// Idle time of all ranks by cause; sums exactly to p T - K.
std::map<BubbleCause, trace::Ns> bubble_causes(const trace::Trace& trace, const PipelineStep& step);

}  // namespace p2plab::analysis
