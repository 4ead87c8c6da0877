// A measured pipeline step beside its own ideal: the same order, each stage's own mean times, and messages that take no
// time. And what a measured step lets one predict.
#pragma once
#include <optional>
#include <vector>

#include "app/analysis/measured_times.h"
#include "app/schedule/engine.h"

namespace p2plab::analysis {

/// Where an action would stand in the ideal run.
struct IdealSpan {
  trace::SpanId measured = trace::kNoIndex;
  trace::Ns begin = 0, end = 0;  ///< on the trace's clock; both runs begin together
  trace::Ns lag = 0;             ///< how much later it really began
};

struct IdealRun {
  std::vector<std::vector<IdealSpan>> ranks;  ///< by begin
  trace::Ns begin = 0, end = 0;               ///< of the step, ideally
};

/// Of the last step; nothing while it is not complete.
std::optional<IdealRun> ideal_run(const trace::Trace& trace);

/// The same, but nothing either where every action ran when it ideally would: then there is nothing to show.
std::optional<IdealRun> differing_ideal_run(const trace::Trace& trace);

/// F, B, W, α and β of a measured step.
struct Fit {
  MeasuredTimes measured;
  schedule::LinkCost link;        ///< α; β where messages of several sizes tell it, else no wire time
  std::size_t messages = 0;       ///< that α comes from
  std::vector<trace::Ns> begin_ns, end_ns, busy_ns;  ///< measured, per stage, from the step's begin
  trace::Ns step_ns = 0;
};

/// α is the median time of a message from both ends posted to complete. Throws Error "sim.no_pipeline".
Fit fit(const trace::Trace& trace);

}  // namespace p2plab::analysis
