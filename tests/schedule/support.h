// Short ways to say a schedule, a cost and what comes of them.
#pragma once
#include <string>

#include "app/schedule/engine.h"
#include "app/schedule/faults.h"

namespace p2plab::test {

using namespace schedule;

inline Problem problem(int p, int m, int v = 1) {
  Problem out;
  out.shape = {p, m, v};
  return out;
}

/// `id` on p stages with equal times.
inline Simulated run(std::string_view id, int p, int m, Ns forward, Ns input, Ns weight = 0, Ns latency = 0, int v = 1, int iterations = 1,
                     int memory_limit = 0) {
  Problem what = problem(p, m, v);
  what.forward_ns = forward;
  what.input_ns = input;
  what.weight_ns = weight;
  what.latency_ns = latency;
  what.memory_limit = memory_limit;
  Costs costs;
  costs.times = {{forward, input, weight}};
  costs.link.latency_ns = latency;
  return simulate(Program(generator(id), what), costs, iterations);
}

inline std::vector<std::int64_t> peaks(const Simulated& simulated) {
  std::vector<std::int64_t> out;
  for (const StageTotals& stage : simulated.stages) out.push_back(stage.peak / 1000);
  return out;
}

inline Ns idle(const StageTotals& stage, Idle cause) { return stage.idle[static_cast<std::size_t>(cause)]; }

inline std::string text(const StageOrder& order) {
  std::string out;
  for (const Action& action : order) out += to_string(action) + " ";
  return out;
}

/// "id name=value …", or nothing.
inline std::string text(const std::optional<TextRef>& fault) {
  if (!fault) return {};
  std::string out = fault->id;
  for (const auto& [name, value] : fault->params) out += " " + name + "=" + value;
  return out;
}

}  // namespace p2plab::test
