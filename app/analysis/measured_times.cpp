// See measured_times.h.
#include "app/analysis/measured_times.h"

#include <algorithm>

#include "app/schedule/faults.h"
#include "app/trace/error.h"

namespace p2plab::analysis {

using schedule::Op;
using trace::Ns;

namespace {

struct Sum {
  Ns total = 0;
  std::int64_t count = 0;
  void add(Ns ns) {
    total += ns;
    ++count;
  }
  /// Of `parts` chunks together.
  Ns mean(int parts) const { return count == 0 ? 0 : (total * parts + count / 2) / count; }
};

}  // namespace

std::optional<MeasuredTimes> measured_times(const PipelineStep& step) {
  if (step.actions.empty() || step.rank_of_part.empty()) return std::nullopt;
  const int p = static_cast<int>(step.actions.size());
  std::vector<int> stage_of_part(step.rank_of_part.begin(), step.rank_of_part.end());
  MeasuredTimes out{{"measured", 1, schedule::Layout(p, stage_of_part), {}}, {}};
  for (int s = 0; s < p; ++s) {
    const auto& actions = step.actions[static_cast<std::size_t>(s)];
    const bool splits = std::any_of(actions.begin(), actions.end(), [](const PipelineAction& a) { return a.weight; });
    schedule::StageOrder& order = out.schedule.stages.emplace_back();
    Sum forward, input, weight;
    for (const PipelineAction& a : actions) {
      (a.forward ? forward : a.weight ? weight : input).add(a.end - a.begin);
      const int chunk = out.schedule.layout.chunk_of(a.part);
      const Op op = a.forward ? Op::forward : a.weight ? Op::weight : splits ? Op::input : Op::backward;
      order.push_back({a.microbatch, static_cast<std::int16_t>(chunk), op});
      out.schedule.microbatches = std::max(out.schedule.microbatches, a.microbatch + 1);
    }
    const int parts = std::max(1, out.schedule.layout.chunks_on(s));
    out.stages.push_back({forward.mean(parts), input.mean(parts), weight.mean(parts)});
  }
  if (schedule::find_fault(out.schedule)) return std::nullopt;
  return out;
}

MeasuredTimes measured_times(const trace::Trace& trace) {
  const auto steps = pipeline_steps(trace);
  if (!steps.empty())
    if (auto times = measured_times(steps.back())) return *std::move(times);
  throw Error("sim.no_pipeline");
}

}  // namespace p2plab::analysis
