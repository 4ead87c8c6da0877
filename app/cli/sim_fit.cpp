// See sim_fit.h.
#include "app/cli/sim_fit.h"

#include <fmt/format.h>

#include <ostream>

#include "app/cli/show_sim.h"
#include "app/report/quantity.h"

namespace p2plab::cli {

using nlohmann::ordered_json;
using report::duration;
using schedule::Ns;

namespace {

/// Predicted over measured, less one; null where there was nothing to measure.
ordered_json error_of(Ns predicted, Ns measured) {
  if (measured == 0) return nullptr;
  return static_cast<double>(predicted) / static_cast<double>(measured) - 1;
}
std::string percent(const ordered_json& error) { return error.is_null() ? "–" : fmt::format("{:+.2f} %", error.get<double>() * 100); }

}  // namespace

ordered_json show_fit(const Context& context, const analysis::Fit& fit, const std::string& file, std::ostream& out) {
  schedule::Costs costs;
  costs.times = fit.measured.stages;
  costs.link = fit.link;
  const auto predicted = schedule::simulate(schedule::Program(fit.measured.schedule), costs);

  const bool has_beta = fit.link.bytes_per_s > 0;
  out << context("sim.fit_of", {{"file", file}, {"n", std::to_string(fit.messages)}, {"alpha", duration(fit.link.latency_ns)},
                                {"beta", has_beta ? fmt::format("{:.4g} GB/s", fit.link.bytes_per_s / 1e9) : context("sim.fit_no_beta")}})
      << "\n\n";
  std::vector<std::vector<std::string>> rows{{context("sim.stage"), "F", "B", "W", context("sim.busy"), context("sim.measured_end"), context("sim.predicted_end"), context("sim.error")}};
  ordered_json stages = ordered_json::array();
  for (std::size_t s = 0; s < fit.measured.stages.size(); ++s) {
    const schedule::StageTime& t = fit.measured.stages[s];
    const Ns end = predicted.stages[s].end;
    const ordered_json error = error_of(end, fit.end_ns[s]);
    rows.push_back({std::to_string(s), duration(t.forward), duration(t.input), t.weight > 0 ? duration(t.weight) : "–", duration(fit.busy_ns[s]),
                    duration(fit.end_ns[s]), duration(end), percent(error)});
    stages.push_back({{"stage", s}, {"forward_ns", t.forward}, {"input_ns", t.input}, {"weight_ns", t.weight}, {"measured_busy_ns", fit.busy_ns[s]},
                      {"measured_begin_ns", fit.begin_ns[s]}, {"measured_end_ns", fit.end_ns[s]}, {"predicted_begin_ns", predicted.stages[s].begin},
                      {"predicted_end_ns", end}, {"error", error}});
  }
  const ordered_json error = error_of(predicted.makespan, fit.step_ns);
  rows.push_back({context("sim.whole"), "", "", "", "", duration(fit.step_ns), duration(predicted.makespan), percent(error)});
  out << table(rows) << "\n" << std::flush;
  return {{"trace", file}, {"p", fit.measured.stages.size()}, {"m", fit.measured.schedule.microbatches}, {"messages", fit.messages},
          {"alpha_ns", fit.link.latency_ns}, {"beta_bytes_per_s", has_beta ? ordered_json(fit.link.bytes_per_s) : ordered_json(nullptr)},
          {"measured_ns", fit.step_ns}, {"predicted_ns", predicted.makespan}, {"error", error}, {"stages", std::move(stages)}};
}

}  // namespace p2plab::cli
