// Memory of a pipeline run over time: how many activations each stage keeps, from their F to their B, or W.
#pragma once
#include <vector>

#include "app/analysis/pipeline_step.h"
#include "app/trace/counter.h"

namespace p2plab::analysis {

/// From `at` on so many activations are kept, in whole stages: one of v chunks counts 1/v.
struct InFlight {
  trace::Ns at = 0;
  double activations = 0;
};

/// One entry for each instant at which the number changes. What ends at an instant is gone before what begins then. An
/// activation counts in full until B is done; where B and W are apart, with `weight_memory` from there to the end of W.
std::vector<InFlight> in_flight(const std::vector<PipelineAction>& actions, int chunks, double weight_memory = 1);
/// Of every rank, over all complete iterations; empty where the trace has no pipeline. `weight_memory` is what the run says.
std::vector<std::vector<InFlight>> in_flight(const trace::Trace& trace);

double peak(const std::vector<InFlight>& curve);
/// v: the most parts of the model that a rank of this step holds.
int chunks_of(const PipelineStep& step);

/// The same as counters "activations in flight" for trace files.
std::vector<trace::Counter> in_flight_counters(const trace::Trace& trace);

}  // namespace p2plab::analysis
