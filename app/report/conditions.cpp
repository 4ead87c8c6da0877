#include "app/report/conditions.h"

#include "app/report/quantity.h"

namespace p2plab::report {

std::string conditions(const trace::RunInfo& run, const content::Text& text) {
  std::string out;
  const auto add = [&](const std::string& part) {
    if (part.empty()) return;
    if (!out.empty()) out += " · ";
    out += part;
  };
  if (run.ranks > 0) add(text("report.ranks", {{"n", std::to_string(run.ranks)}}));
  if (!run.backend.empty()) add(run.mpi.empty() ? run.backend : run.backend + " (" + run.mpi + ")");
  if (!run.semantics.empty()) add(text("report.semantics", {{"name", run.semantics}}));
  if (!run.compute.empty()) add(text("report.compute", {{"name", run.compute}}));
  if (!run.link.empty()) add(text("report.link", {{"name", run.link}}));
  if (run.strict) add(text("report.strict"));
  // Events of a GPU are placed on the host's clock by anchors, and those are only so exact.
  if ((run.backend == "cuda" || run.backend == "nccl") && run.clock_error_ns > 0) add(text("report.clock", {{"error", duration(run.clock_error_ns)}}));
  if (!run.backend.empty()) add(text("report.seed", {{"n", std::to_string(run.seed)}}));
  for (const auto& [knob, value] : run.knobs)
    if (!value.empty()) add(knob + " " + value);
  return out;
}

}  // namespace p2plab::report
