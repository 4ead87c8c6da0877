// See metrics.h. The definitions of the numbers are those of app/analysis.
#include "app/check/metrics.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/analysis/buffers.h"
#include "app/analysis/in_flight.h"
#include "app/analysis/pipeline.h"
#include "app/check/pipeline_ideal.h"
#include "app/check/tables.h"

namespace p2plab::check {

namespace {

using nlohmann::ordered_json;

bool adds_up(std::string_view name) { return name == "corrupt_bytes" || name == "hash_mismatches" || name == "swapped_count"; }

/// Sizes, times and counts are whole numbers in the JSON; ratios and errors are not.
ordered_json as_json(std::string_view name, double value) {
  if (!std::isfinite(value)) return nullptr;
  const bool whole = name.ends_with("_ns") || name.ends_with("_bytes") || name.ends_with("mismatches") || name.ends_with("_count") || name.ends_with("_ranks");
  if (whole) return static_cast<std::int64_t>(std::llround(value));
  return value;
}

bool is_pipeline(const trace::Trace& trace) {
  bool forward = false, backward = false;
  for (std::size_t i = 0; i < trace.spans().size() && !(forward && backward); ++i) {
    const trace::Span& span = trace.spans()[i];
    forward = forward || (span.kind == trace::Kind::forward && span.microbatch >= 0);
    backward = backward || (span.kind == trace::Kind::backward && span.microbatch >= 0);
  }
  return forward && backward;
}

/// The curves that `p2plab sim --in-flight` gives, of the last step, its beginning being 0.
ordered_json in_flight_of(const analysis::PipelineStep& step) {
  ordered_json out = ordered_json::array();
  for (const auto& actions : step.actions) {
    ordered_json curve = ordered_json::array();
    for (const analysis::InFlight& one : analysis::in_flight(actions, analysis::chunks_of(step)))
      curve.push_back({{"at_ns", one.at - step.window.begin}, {"activations", count_json(one.activations)}});
    out.push_back(std::move(curve));
  }
  return out;
}

void add_pipeline(ordered_json& out, const RunRequest& request, const trace::Trace& trace) {
  const analysis::PipelineNumbers numbers = analysis::pipeline_numbers(trace);
  const int stages = request.ranks;
  out["bubble_ratio"] = numbers.bubble_ratio;
  // m is what was run: with a microbatch size set it is not the knob `microbatches`.
  out["bubble_ideal_ratio"] = pipeline_ideal_ratio(request, stages, numbers.microbatches);
  // Idle over ideal time, from the same idle time: r / (1 - r); its ideal is (p-1)/m.
  out["bubble_over_ideal"] = numbers.bubble_ratio < 1 ? ordered_json(numbers.bubble_ratio / (1 - numbers.bubble_ratio)) : nullptr;
  out["step_ns"] = numbers.step_ns;
  out["peak_in_flight"] = ordered_json::array();
  for (const double peak : numbers.peak_in_flight) out["peak_in_flight"].push_back(count_json(peak));
  out["in_flight"] = in_flight_of(analysis::pipeline_steps(trace).back());
  const analysis::Overlap overlap = analysis::overlap(trace, numbers.step);
  out["overlap"] = overlap.ratio() ? ordered_json(*overlap.ratio()) : nullptr;
  out["exposed_ns"] = overlap.exposed_ns();
  out.erase("baseline_iteration");  // which step to compare with; a hint of the program to the analysis
  if (numbers.gain_over_baseline) out["gain_over_blocking"] = *numbers.gain_over_baseline;
  ordered_json causes;
  for (const auto& [cause, ns] : numbers.causes) causes[std::string(analysis::to_string(cause))] = ns;
  out["idle_by_cause"] = std::move(causes);
}

}  // namespace

ordered_json count_json(double value) { return value == std::floor(value) ? ordered_json(static_cast<std::int64_t>(value)) : ordered_json(value); }

std::optional<double> program_metric(const trace::Trace& trace, std::string_view name) {
  std::optional<double> value;
  for (const trace::Metric& metric : trace.metrics()) {
    if (trace.name(metric.name) != name) continue;
    if (!value) {
      value = metric.value;
    } else {
      value = adds_up(name) ? *value + metric.value : std::max(*value, metric.value);
    }
  }
  return value;
}

ordered_json metrics(const DemoManifest& demo, const RunRequest& request, const trace::Trace& trace) {
  ordered_json out = ordered_json::object();
  for (const std::string& name : demo.metrics) out[name] = nullptr;
  std::set<std::string> names;
  for (const trace::Metric& metric : trace.metrics()) names.insert(trace.name(metric.name));
  for (const std::string& name : names) out[name] = as_json(name, *program_metric(trace, name));
  if (!trace.all_hashes().empty()) {
    int differ = 0;
    for (const analysis::Finding& finding : analysis::buffer_findings(trace)) differ += finding.count;
    out["hash_mismatches"] = differ;
  }
  if (is_pipeline(trace) && demo.results.steps.empty()) add_pipeline(out, request, trace);
  ordered_json measured = tables(trace);
  for (const FitSpec& fit : demo.results.fits)
    if (measured.contains(fit.table)) out.update(fitted(fit, measured[fit.table], program_metric(trace, fit.step_above)));
  if (measured.contains(demo.results.steps)) add_steps(measured[demo.results.steps], trace);
  for (auto& [name, table] : measured.items()) out[name] = std::move(table);
  add_derived(out, demo.results.derived, request);
  return out;
}

void forget_step(ordered_json& metrics) {
  for (const char* name : {"bubble_ratio", "bubble_ideal_ratio", "bubble_over_ideal", "step_ns", "peak_in_flight", "overlap", "exposed_ns",
                           "in_flight", "grad_error", "gain_over_blocking", "idle_by_cause"}) {
    if (metrics.contains(name)) metrics[name] = nullptr;
  }
}

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

ordered_json like(const ordered_json& sample, double value) {
  return sample.is_number_integer() ? ordered_json(static_cast<std::int64_t>(std::llround(value))) : ordered_json(value);
}

/// {"median", "min", "max", "n"} of the runs that have a number at `at`.
ordered_json spread(const std::vector<const ordered_json*>& values) {
  std::vector<double> numbers;
  const ordered_json* sample = nullptr;
  for (const ordered_json* value : values) {
    if (!value->is_number()) continue;
    numbers.push_back(value->get<double>());
    sample = value;
  }
  if (sample == nullptr && !values.empty() && values.front()->is_string()) return *values.front();  // a name, the same in all runs
  if (sample == nullptr) return {{"median", nullptr}, {"min", nullptr}, {"max", nullptr}, {"n", 0}};
  return {{"median", like(*sample, median(numbers))},
          {"min", like(*sample, *std::min_element(numbers.begin(), numbers.end()))},
          {"max", like(*sample, *std::max_element(numbers.begin(), numbers.end()))},
          {"n", numbers.size()}};
}

std::vector<ordered_json> copies(const std::vector<const ordered_json*>& values) {
  std::vector<ordered_json> out;
  for (const ordered_json* value : values) out.push_back(value->is_object() ? *value : ordered_json::object());
  return out;
}

ordered_json spread_of(const std::vector<const ordered_json*>& values) {
  if (values.empty()) return spread(values);
  const ordered_json& first = *values.front();
  if (!first.is_array() && !first.is_object()) return spread(values);
  if (first.is_object()) return over_runs(copies(values));  // metrics by name, as idle_by_cause: each is a metric of its own
  if (first.is_array() && !first.empty() && first.front().is_object()) {  // a table: row by row
    ordered_json rows = ordered_json::array();
    for (std::size_t i = 0; i < first.size(); ++i) {
      std::vector<ordered_json> row;
      for (const ordered_json* value : values)
        if (value->is_array() && i < value->size() && (*value)[i].is_object()) row.push_back((*value)[i]);
      rows.push_back(over_runs(row));
    }
    return rows;
  }
  // A list: each element on its own, gathered under one median, min and max.
  ordered_json out{{"median", first}, {"min", first}, {"max", first}, {"n", values.size()}};
  for (std::size_t i = 0; i < first.size(); ++i) {
    std::vector<const ordered_json*> column;
    for (const ordered_json* value : values) {
      if (value->is_array() && i < value->size()) column.push_back(&(*value)[i]);
    }
    const ordered_json numbers = spread(column);
    for (const char* which : {"median", "min", "max"}) out[which][i] = numbers[which];
  }
  return out;
}

}  // namespace

ordered_json over_runs(const std::vector<ordered_json>& runs) {
  ordered_json out = ordered_json::object();
  for (const ordered_json& run : runs) {
    for (const auto& [name, ignored] : run.items()) {
      if (out.contains(name) || name == "in_flight") continue;  // curves of several runs have no middle
      std::vector<const ordered_json*> values;
      for (const ordered_json& other : runs) {
        if (other.contains(name) && !other[name].is_null()) values.push_back(&other[name]);
      }
      out[name] = spread_of(values);
    }
  }
  return out;
}

}  // namespace p2plab::check
