// See demo_steps.h.
#include "app/check/demo_steps.h"

#include <algorithm>
#include <cmath>

#include "app/analysis/pipeline.h"
#include "app/check/claim_run.h"
#include "app/check/demo_run.h"
#include "app/check/metrics.h"

namespace p2plab::check {

using nlohmann::ordered_json;

namespace {

/// Messages that were sent within a step: none at its first instant, when nothing has been computed yet (a step without any
/// computation takes no time on a virtual clock, so two of them may touch).
std::int64_t messages_in(const trace::Trace& trace, const analysis::Window& step) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const trace::Span& span = trace.spans()[i];
    if (span.kind == trace::Kind::send && (span.flags & trace::kInFlight) != 0 && span.begin > step.begin && span.begin < step.end) ++count;
  }
  return count;
}

std::string filled_in(std::string path, const RunRequest& request) {
  for (const auto& [id, value] : request.knobs)
    if (const auto at = path.find("{" + id + "}"); at != std::string::npos) path.replace(at, id.size() + 2, value);
  return path;
}

}  // namespace

void add_steps(ordered_json& table, const trace::Trace& trace) {
  const auto steps = analysis::pipeline_steps(trace);
  for (ordered_json& row : table) {
    const auto iteration = row.find("iteration");
    if (iteration == row.end() || !iteration->is_number()) continue;
    const auto k = static_cast<std::size_t>(iteration->get<double>());
    for (const char* name : {"step_ns", "bubble_ratio", "idle_ns", "peak_in_flight", "message_count"}) row[name] = nullptr;
    if (k >= steps.size()) continue;
    const auto numbers = analysis::step_numbers(steps[k]);
    row["step_ns"] = numbers.step_ns;
    row["bubble_ratio"] = numbers.bubble_ratio;
    row["idle_ns"] = static_cast<std::int64_t>(std::llround(numbers.bubble_ratio * static_cast<double>(numbers.step_ns)));
    row["peak_in_flight"] = count_json(numbers.peak_in_flight.empty() ? 0 : *std::max_element(numbers.peak_in_flight.begin(), numbers.peak_in_flight.end()));
    row["message_count"] = messages_in(trace, steps[k].window);
  }
}

void add_derived(ordered_json& metrics, const std::vector<DerivedSpec>& derived, const RunRequest& request) {
  for (const DerivedSpec& one : derived) {
    ordered_json value = value_in(metrics, filled_in(one.value, request));
    if (!one.over.empty()) {
      const ordered_json over = value_in(metrics, filled_in(one.over, request));
      const bool both = value.is_number() && over.is_number() && over.get<double>() != 0;
      value = both ? ordered_json(value.get<double>() / over.get<double>()) : ordered_json(nullptr);
    }
    if (!one.minus.empty()) {
      const ordered_json less = value_in(metrics, filled_in(one.minus, request));
      value = value.is_number() && less.is_number() ? ordered_json(value.get<std::int64_t>() - less.get<std::int64_t>()) : ordered_json(nullptr);
    }
    metrics[one.metric] = std::move(value);
  }
}

}  // namespace p2plab::check
