// One iteration of a pipeline, cut out of a trace: what each rank ran, and when it computed.
#pragma once
#include <optional>
#include <vector>

#include "app/analysis/overlap.h"

namespace p2plab::analysis {

/// One F, B or W of a microbatch.
struct PipelineAction {
  trace::Ns begin = 0, end = 0;
  bool forward = true;
  int microbatch = 0;
  bool weight = false;  ///< W: waits for its B alone, and nobody waits for it
  int part = 0;         ///< of the model, counted through all stages and chunks; the rank where each holds one part
  trace::SpanId span = trace::kNoIndex;
};

struct PipelineStep {
  Window window;                                     ///< first start to last end of an action over all ranks
  std::vector<std::vector<PipelineAction>> actions;  ///< per rank, by begin
  std::vector<std::vector<Window>> busy;             ///< per rank: union of all compute spans, clipped to the window
  std::vector<std::size_t> rank_of_part;             ///< who holds each part

  /// The part that makes what an F or B needs; nothing at the ends of the model and for W.
  std::optional<int> needed_part(const PipelineAction& action) const;
};

/// All iterations that every stage has begun, in order.
std::vector<PipelineStep> pipeline_steps(const trace::Trace& trace);

/// Sorted, and merged where they touch.
std::vector<Window> merged(std::vector<Window> windows);

}  // namespace p2plab::analysis
