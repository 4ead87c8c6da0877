// Numbers of a pipeline run: bubble, its causes, activations in flight, step time. Definitions: DESIGN, "Numbers".
#pragma once
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "app/analysis/overlap.h"
#include "app/analysis/pipeline_step.h"

namespace p2plab::analysis {

/// (p-1)/(m+p-1): idle over total.
double bubble_ideal_ratio(int stages, int microbatches);
/// (p-1)/m: idle over ideal time; the other convention.
double bubble_over_ideal(int stages, int microbatches);

enum class BubbleCause { warm_up, drain, upstream, exposed_transfer, imbalance, straggler, unexplained };
std::string_view to_string(BubbleCause cause);

struct PipelineNumbers {
  int stages = 0;                            ///< p: ranks with F or B spans; 0 while there are none
  int microbatches = 0;                      ///< m: of the last iteration
  Window step;                               ///< the last iteration: first start to last end of F and B over all ranks
  trace::Ns step_ns = 0;                     ///< its length, T
  std::vector<Window> iterations;            ///< all of them; the last is `step`
  double bubble_ratio = 0;                   ///< sum of idle / (p T)
  std::vector<trace::Ns> busy_ns;            ///< per rank, K within the step
  std::vector<double> peak_in_flight;        ///< per stage: microbatches whose F is done or running and whose B, or W, is not done; one of v chunks counts 1/v
  std::map<BubbleCause, trace::Ns> causes;   ///< all causes; they sum to the idle time of all ranks exactly
  /// T of the iteration that the program named as its baseline (metric "baseline_iteration") over T: 1.1 is 10 % faster.
  std::optional<double> gain_over_baseline;
};

/// Needs F and B spans with microbatch numbers; an `optimizer` span or a repeated F0 separates iterations. Transfers are
/// told from waiting only where trace.messages() is filled (see Matcher). Stage and rank are the same number.
///
/// Causes of a rank's idle time, in this order:
///   warm_up           before its first F; drain: after its last B
///   straggler         a stage stands still: an `other` span holds a compute lane, or a collective waits for the last rank
///   upstream          the neighbour has not finished (or not yet sent, being busy) what comes next. While that neighbour
///                     idles itself, its own cause counts: waiting travels hop by hop, and so does the blame
///   imbalance         what of `upstream` a pipeline of equal stages (median F and B, same order, no transfer) would not have
///   exposed_transfer  the neighbour has finished it and it has not arrived, or a blocking call still holds this rank
///   unexplained       the rest: wake-ups, the program's own work between actions
/// Waiting that only earlier delays explain (not the schedule, not imbalance) is shared among straggler, exposed_transfer and
/// unexplained in proportion to what each cost directly.
PipelineNumbers pipeline_numbers(const trace::Trace& trace);

/// What one step shows by itself: all of it but causes, iterations and gain.
PipelineNumbers step_numbers(const PipelineStep& step);

}  // namespace p2plab::analysis
