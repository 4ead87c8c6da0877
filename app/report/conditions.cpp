#include "app/report/conditions.h"

#include <algorithm>

#include "app/check/demo_run.h"
#include "app/report/quantity.h"

namespace p2plab::report {
namespace {

/// In the language where the word has one; names of presets stay.
std::string named(const content::Text& text, const std::string& what, const std::string& name) {
  const std::string own = "report." + what + "_" + name;
  return text.has(own) ? text(own) : text("report." + what, {{"name", name}});
}

}  // namespace

bool means_something(const check::Knob& knob, const check::RunRequest& run, const check::DemoManifest& demo) {
  if (!check::hold(knob.when, run)) return false;
  const check::Knob* whole = knob.part_of.empty() ? &knob : demo.knob(knob.part_of);
  if (whole == nullptr || whole->off.empty()) return true;
  const auto set = run.knobs.find(whole->id);
  return set == run.knobs.end() || set->second != whole->off;
}

std::string knob_value(const check::Knob& knob, const std::string& value) {
  if (knob.type == check::Knob::Type::bytes) {
    const auto amount = check::parse_amount(value);
    return amount ? bytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, *amount))) : value;
  }
  if (knob.type == check::Knob::Type::file) return value.empty() ? "–" : value.substr(value.find_last_of('/') + 1);
  if (knob.unit.empty() || knob.unit == "bytes") return value;
  return value + " " + (knob.unit == "us" ? "µs" : knob.unit);
}

std::string conditions(const trace::RunInfo& run, const content::Text& text, const check::DemoManifest* demo) {
  std::string out;
  const auto add = [&](const std::string& part) {
    if (part.empty()) return;
    if (!out.empty()) out += " · ";
    out += part;
  };
  if (run.ranks > 0) add(text("report.ranks", {{"n", std::to_string(run.ranks)}}));
  if (!run.backend.empty()) add(run.mpi.empty() ? run.backend : run.backend + " (" + run.mpi + ")");
  if (!run.semantics.empty()) add(text("report.semantics", {{"name", run.semantics}}));
  if (!run.compute.empty()) add(named(text, "compute", run.compute));
  if (!run.link.empty()) add(named(text, "link", run.link));
  if (run.strict) add(text("report.strict"));
  // Events of a GPU are placed on the host's clock by anchors, and those are only so exact.
  if ((run.backend == "cuda" || run.backend == "nccl") && run.clock_error_ns > 0) add(text("report.clock", {{"error", duration(run.clock_error_ns)}}));
  const bool simulated = run.demo.empty() && run.backend == "sim";  // a schedule alone: nothing is drawn by lot
  if (!run.backend.empty() && !simulated) add(text("report.seed", {{"n", std::to_string(run.seed)}}));
  const check::RunRequest request = check::request_from(run);
  if (demo != nullptr)  // in their order
    for (const check::Knob& knob : demo->knobs)
      if (const auto set = run.knobs.find(knob.id); set != run.knobs.end() && !set->second.empty() && means_something(knob, request, *demo)) add(knob.title.in(text.language()) + " " + knob_value(knob, set->second));
  for (const auto& [knob, value] : run.knobs)
    if (!value.empty() && (demo == nullptr || demo->knob(knob) == nullptr)) add((text.has("report.knob_" + knob) ? text("report.knob_" + knob) : knob) + " " + value);
  return out;
}

}  // namespace p2plab::report
