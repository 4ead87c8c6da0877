// See in_flight.h.
#include "app/analysis/in_flight.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace p2plab::analysis {
namespace {

constexpr double kThousandths = 1000;  ///< sums of whole numbers, so that nothing is left over at the end

}  // namespace

std::vector<InFlight> in_flight(const std::vector<PipelineAction>& actions, int chunks, double weight_memory) {
  const bool splits = std::any_of(actions.begin(), actions.end(), [](const PipelineAction& action) { return action.weight; });
  const std::int64_t whole = std::llround(kThousandths), held = splits ? std::llround(weight_memory * kThousandths) : 0;
  std::vector<std::pair<trace::Ns, std::int64_t>> changes;  // at one instant what goes (negative) sorts before what comes
  for (const PipelineAction& action : actions) {
    if (action.forward) changes.emplace_back(action.begin, whole);
    else changes.emplace_back(action.end, action.weight ? -held : held - whole);
  }
  std::sort(changes.begin(), changes.end());
  std::vector<InFlight> out;
  std::int64_t now = 0;
  for (const auto& [when, change] : changes) {
    if (change == 0) continue;
    now += change;
    const double activations = static_cast<double>(now) / kThousandths / chunks;
    if (!out.empty() && out.back().at == when) out.back().activations = activations;
    else out.push_back({when, activations});
  }
  // Where one goes as another comes nothing changes.
  const auto same = [](const InFlight& a, const InFlight& b) { return a.activations == b.activations; };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

std::vector<std::vector<InFlight>> in_flight(const trace::Trace& trace) {
  std::vector<std::vector<InFlight>> out;
  const auto kept = trace.run.knobs.find("weight_memory");  // of a simulated schedule
  const double weight_memory = kept == trace.run.knobs.end() ? 1 : std::atof(kept->second.c_str());
  // Step by step: one may split its backward, or have other chunks, and the next not.
  for (const PipelineStep& step : pipeline_steps(trace)) {
    out.resize(std::max(out.size(), step.actions.size()));
    for (std::size_t rank = 0; rank < step.actions.size(); ++rank) {
      std::vector<InFlight>& curve = out[rank];
      for (const InFlight& one : in_flight(step.actions[rank], chunks_of(step), weight_memory)) {
        if (!curve.empty() && curve.back().at == one.at) curve.pop_back();
        if (curve.empty() || curve.back().activations != one.activations) curve.push_back(one);
      }
    }
  }
  return out;
}

int chunks_of(const PipelineStep& step) {
  std::vector<int> parts(step.actions.size(), 0);
  int most = 1;
  for (const std::size_t rank : step.rank_of_part) most = std::max(most, ++parts[rank]);
  return most;
}

double peak(const std::vector<InFlight>& curve) {
  double most = 0;
  for (const InFlight& one : curve) most = std::max(most, one.activations);
  return most;
}

std::vector<trace::Counter> in_flight_counters(const trace::Trace& trace) {
  std::vector<trace::Counter> out;
  int rank = 0;
  for (const auto& curve : in_flight(trace)) {
    trace::Counter& counter = out.emplace_back(trace::Counter{rank++, "activations in flight", {}});
    for (const InFlight& one : curve) counter.values.emplace_back(one.at, one.activations);
  }
  return out;
}

}  // namespace p2plab::analysis
