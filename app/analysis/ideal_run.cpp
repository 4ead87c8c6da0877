// See ideal_run.h.
#include "app/analysis/ideal_run.h"

#include <cmath>
#include <map>

#include "app/analysis/fit.h"
#include "app/trace/error.h"

namespace p2plab::analysis {

using trace::Ns;

namespace {

/// Messages of the step by size, each from both ends posted to complete.
std::map<std::uint64_t, std::vector<double>> transfers(const trace::Trace& trace, const Window& window) {
  std::map<std::uint64_t, std::vector<double>> out;
  for (const trace::Message& message : trace.messages()) {
    const trace::Span& send = trace.span(message.send);
    if (message.completion == trace::kOpen || send.begin < window.begin || send.begin >= window.end) continue;
    const Ns both = std::max(send.begin, trace.span(message.receive).begin);
    out[send.bytes].push_back(static_cast<double>(std::max<Ns>(0, message.completion - both)));
  }
  return out;
}

}  // namespace

std::optional<IdealRun> ideal_run(const trace::Trace& trace) {
  const auto steps = pipeline_steps(trace);
  if (steps.empty()) return std::nullopt;
  const PipelineStep& step = steps.back();
  const auto measured = measured_times(step);
  if (!measured) return std::nullopt;
  schedule::Costs costs;
  costs.times = measured->stages;
  const auto simulated = schedule::simulate(schedule::Program(measured->schedule), costs, 1, true);
  IdealRun out{{}, step.window.begin, step.window.begin + simulated.makespan};
  out.ranks.resize(step.actions.size());
  for (const schedule::Ran& ran : simulated.ran) {  // by stage, each in its own order
    const auto rank = static_cast<std::size_t>(ran.stage);
    const PipelineAction& action = step.actions[rank][out.ranks[rank].size()];
    const Ns begin = step.window.begin + ran.begin;
    out.ranks[rank].push_back({action.span, begin, step.window.begin + ran.end, action.begin - begin});
  }
  return out;
}

std::optional<IdealRun> differing_ideal_run(const trace::Trace& trace) {
  auto ideal = ideal_run(trace);
  if (!ideal) return std::nullopt;
  for (const auto& rank : ideal->ranks)
    for (const IdealSpan& span : rank)
      if (span.lag != 0) return ideal;
  return std::nullopt;
}

Fit fit(const trace::Trace& trace) {
  const auto steps = pipeline_steps(trace);
  auto measured = steps.empty() ? std::nullopt : measured_times(steps.back());
  if (!measured) throw Error("sim.no_pipeline");
  const PipelineStep& step = steps.back();
  Fit out{*std::move(measured), {}, 0, {}, {}, {}, step.window.end - step.window.begin};
  for (std::size_t s = 0; s < step.actions.size(); ++s) {
    Ns busy = 0;
    for (const Window& w : step.busy[s]) busy += w.end - w.begin;
    out.busy_ns.push_back(busy);
    out.begin_ns.push_back(step.actions[s].front().begin - step.window.begin);
    out.end_ns.push_back(step.actions[s].back().end - step.window.begin);
  }
  std::vector<SizeTimes> sizes;
  std::vector<double> all;
  for (const auto& [bytes, times] : transfers(trace, step.window)) {
    sizes.push_back({bytes, times});
    out.messages += times.size();
    all.insert(all.end(), times.begin(), times.end());
  }
  if (all.empty()) return out;
  out.link.bytes = sizes.back().bytes;
  if (const auto line = fit_latency_bandwidth(sizes)) {
    out.link.latency_ns = std::max<Ns>(0, std::llround(line->alpha_ns));
    out.link.bytes_per_s = line->beta_bytes_per_s;
  } else {
    out.link.latency_ns = std::llround(median(std::move(all)));
  }
  return out;
}

}  // namespace p2plab::analysis
