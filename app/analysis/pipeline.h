// Numbers of a pipeline run: bubble, its causes, activations in flight, step time. Definitions: DESIGN, "Numbers".
#pragma once
#include <map>
#include <string>
#include <vector>

#include "app/analysis/overlap.h"

namespace p2plab::analysis {

/// (p-1)/(m+p-1): idle over total.
double bubble_ideal_ratio(int stages, int microbatches);
/// (p-1)/m: idle over ideal time; the other convention.
double bubble_over_ideal(int stages, int microbatches);

enum class BubbleCause { warm_up, drain, upstream, exposed_transfer, imbalance, straggler, unexplained };
std::string_view to_string(BubbleCause cause);

struct PipelineNumbers {
  Window step;                               ///< the last iteration: first start to last end of compute over all ranks
  trace::Ns step_ns = 0;
  double bubble_ratio = 0;                   ///< sum of idle / (p T)
  std::vector<trace::Ns> busy_ns;            ///< per rank
  std::vector<int> peak_in_flight;           ///< per stage: microbatches whose F is done or running and whose B is not done
  std::map<BubbleCause, trace::Ns> causes;   ///< sum to the idle time of all ranks exactly
};

/// Needs F and B spans with microbatch numbers; an `optimizer` span or a repeated F0 separates iterations.
PipelineNumbers pipeline_numbers(const trace::Trace& trace);

}  // namespace p2plab::analysis
