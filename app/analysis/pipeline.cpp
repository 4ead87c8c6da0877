// The numbers of a pipeline run, from its last iteration.
#include "app/analysis/pipeline.h"

#include <algorithm>
#include <set>

#include "app/analysis/in_flight.h"
#include "app/analysis/pipeline_causes.h"

namespace p2plab::analysis {
namespace {

using trace::Ns;

int count_microbatches(const PipelineStep& step) {
  std::set<int> seen;
  for (const auto& actions : step.actions)
    for (const auto& action : actions) seen.insert(action.microbatch);
  return static_cast<int>(seen.size());
}

std::optional<double> gain_over_baseline(const trace::Trace& trace, const std::vector<Window>& iterations) {
  for (const trace::Metric& metric : trace.metrics()) {
    if (trace.name(metric.name) != "baseline_iteration" || metric.value < 0) continue;
    const auto index = static_cast<std::size_t>(metric.value);
    if (index + 1 >= iterations.size()) return std::nullopt;
    const auto length = [](const Window& w) { return static_cast<double>(w.end - w.begin); };
    return length(iterations[index]) / length(iterations.back());
  }
  return std::nullopt;
}

}  // namespace

double bubble_ideal_ratio(int stages, int microbatches) {
  return static_cast<double>(stages - 1) / static_cast<double>(microbatches + stages - 1);
}

double bubble_over_ideal(int stages, int microbatches) {
  return static_cast<double>(stages - 1) / static_cast<double>(microbatches);
}

std::string_view to_string(BubbleCause cause) {
  switch (cause) {
    case BubbleCause::warm_up: return "warm_up";
    case BubbleCause::drain: return "drain";
    case BubbleCause::upstream: return "upstream";
    case BubbleCause::exposed_transfer: return "exposed_transfer";
    case BubbleCause::imbalance: return "imbalance";
    case BubbleCause::straggler: return "straggler";
    case BubbleCause::unexplained: return "unexplained";
  }
  return "";
}

PipelineNumbers step_numbers(const PipelineStep& step) {
  PipelineNumbers numbers;
  numbers.stages = static_cast<int>(step.actions.size());
  numbers.microbatches = count_microbatches(step);
  numbers.step = step.window;
  numbers.step_ns = step.window.end - step.window.begin;
  Ns idle = 0;
  for (std::size_t rank = 0; rank < step.busy.size(); ++rank) {
    Ns busy = 0;
    for (const Window& w : step.busy[rank]) busy += w.end - w.begin;
    numbers.busy_ns.push_back(busy);
    numbers.peak_in_flight.push_back(peak(in_flight(step.actions[rank], chunks_of(step))));
    idle += numbers.step_ns - busy;
  }
  if (numbers.step_ns > 0) numbers.bubble_ratio = static_cast<double>(idle) / (numbers.stages * static_cast<double>(numbers.step_ns));
  return numbers;
}

PipelineNumbers pipeline_numbers(const trace::Trace& trace) {
  const std::vector<PipelineStep> steps = pipeline_steps(trace);
  if (steps.empty()) return {};
  PipelineNumbers numbers = step_numbers(steps.back());
  for (const PipelineStep& step : steps) numbers.iterations.push_back(step.window);
  numbers.causes = bubble_causes(trace, steps.back());
  numbers.gain_over_baseline = gain_over_baseline(trace, numbers.iterations);
  return numbers;
}

}  // namespace p2plab::analysis
