// Figures and their comparisons.
#include "app/gui/model/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/check/pipeline_ideal.h"
#include "app/report/conditions.h"
#include "app/report/quantity.h"
#include "app/report/result_charts.h"
#include "app/report/run_summary.h"

namespace p2plab::gui {
namespace {

using nlohmann::ordered_json;

/// A knob as a number; nothing when it is none.
std::optional<std::int64_t> amount(const check::RunRequest& request, const std::string& id) {
  const auto found = request.knobs.find(id);
  return found == request.knobs.end() ? std::nullopt : check::parse_amount(found->second);
}

std::string repeated(std::int64_t value, std::int64_t times) {
  std::string out;
  for (std::int64_t i = 0; i < times; ++i) out += (i ? " " : "") + std::to_string(value);
  return out;
}

/// What a figure must be compared with; empty when nothing is known.
std::string beside(const std::string& id, const check::RunRequest& request, const ordered_json& metrics, const content::Text& text) {
  const check::PipelineUnits units = check::pipeline_units(request);
  const auto schedule = request.knobs.find("schedule");
  const std::string name = check::pipeline_schedule(request);
  const bool flush = name == "gpipe" || name == "1f1b" || name == "eager-1f1b";
  const bool ideal = metrics.contains("bubble_ideal_ratio") && metrics["bubble_ideal_ratio"].is_number();
  if (id == "bubble_ratio" && ideal)
    return text("number.ideal_formula", {{"value", figure("bubble_ideal_ratio", metrics["bubble_ideal_ratio"])},
                                         {"formula", flush ? "(p−1)/(m+p−1)" : name == "naive" ? "(p−1)/p" : name}});
  if (id == "step_ns" && ideal && request.compute == "paced") {
    if (units.microbatches > 0 && units.forward_us + units.backward_us > 0 && !name.empty()) {  // m(F+B) of work a rank, and the schedule's own share of idle time
      const double work = static_cast<double>(units.microbatches) * (units.forward_us + units.backward_us) * 1000;
      return text("number.ideal_formula", {{"value", report::duration(static_cast<trace::Ns>(std::llround(work / (1 - metrics["bubble_ideal_ratio"].get<double>()))))},
                                           {"formula", flush ? "(m+p−1)(F+B)" : name}});
    }
  }
  if (id == "makespan_ns" && metrics.contains("makespan_ideal_ns"))
    return text("number.ideal_formula", {{"value", figure(id, metrics["makespan_ideal_ns"])}, {"formula", flush ? "(m+p−1)(F+B)" : name}});
  if (id == "peak_in_flight" && units.microbatches > 0 && schedule != request.knobs.end()) {
    const bool gpipe = schedule->second == "gpipe";
    std::string other;
    for (int stage = 0; stage < request.ranks; ++stage)
      other += (stage ? " " : "") + std::to_string(std::min<std::int64_t>(units.microbatches, request.ranks - stage));
    return gpipe ? "1F1B: " + other : "GPipe: " + repeated(units.microbatches, request.ranks);
  }
  if (id == "grad_error") return text("number.at_most", {{"value", "1.0e-05"}});
  if (id == "detect_ns") return metrics.contains(id) && metrics[id].is_number() ? text(report::beside_proof(metrics[id].get<double>(), request.backend)) : std::string();
  if (id == "eager_limit_bytes" || id == "corrupt_bytes") {
    if (const auto bytes = amount(request, "bytes"))
      return text("number.of_message", {{"value", report::bytes(static_cast<std::uint64_t>(*bytes))}});
  }
  if (id == "hash_mismatches") return text("number.want", {{"value", "0"}});
  return {};
}

/// What demo.toml names, in its words; a number that this variant does not measure has no row.
std::vector<Number> declared(const check::DemoManifest& demo, const ordered_json& metrics, const ordered_json* before, const content::Text& text) {
  std::vector<Number> out;
  for (const check::NumberSpec& spec : demo.results.numbers) {
    const auto found = metrics.find(spec.metric);
    if (!metrics.empty() && (found == metrics.end() || found->is_null())) continue;
    auto words = report::number_words(spec, metrics, text);
    Number number{spec.metric, words.title, words.value, metrics.empty() ? std::string() : words.beside, {}, {}};
    if (before && before->contains(spec.metric) && !(*before)[spec.metric].is_null()) number.before = report::metric_words(spec.metric, (*before)[spec.metric]);
    out.push_back(std::move(number));
  }
  return out;
}

std::string text_or(const content::Text& text, const std::string& id, const std::string& fallback) {
  return text.has(id) ? text(id) : fallback;
}

}  // namespace

std::vector<Number> numbers(const check::DemoManifest& demo, const check::RunRequest& request, const ordered_json& metrics,
                            const ordered_json* before, const content::Text& text) {
  if (!demo.results.numbers.empty()) return declared(demo, metrics, before, text);
  std::vector<std::string> order = demo.metrics;
  for (const auto& [name, value] : metrics.items())
    if (std::find(order.begin(), order.end(), name) == order.end()) order.push_back(name);

  std::vector<Number> out;
  for (const auto& id : order) {
    if (id == "eager_limit_bytes" && request.backend == "nccl") continue;  // NCCL has none
    if (id == "bubble_ideal_ratio" || id == "makespan_ideal_ns" || id == "idle_by_cause" || id == "in_flight" || id == "table") continue;
    if (!metrics.contains(id)) {
      // The place of a number is there before the number.
      if (metrics.empty()) out.push_back({id, text_or(text, "metric." + id, id), "–", {}, {}, text_or(text, "how." + id, {})});
      continue;
    }
    const auto& value = metrics[id];
    if (value.is_object() && !value.contains("median")) continue;
    const std::string whole = id == "eager_limit_bytes" && report::buffer_is_knob(request) ? "nccl_buffer_bytes" : id;
    const std::string name = whole.substr(0, whole.find(':')), of = name == whole ? "" : whole.substr(name.size() + 1) + " · ";
    Number number{id, of + text_or(text, "metric." + name, name), figure(name, value), beside(id, request, metrics, text), {}, text_or(text, "how." + name, {})};
    if (before && before->contains(id) && !(*before)[id].is_null()) number.before = figure(name, (*before)[id]);
    out.push_back(std::move(number));
  }
  return out;
}

std::vector<Share> shares(const ordered_json& metrics, const content::Text& text) {
  std::vector<Share> out;
  const auto causes = metrics.find("idle_by_cause");
  if (causes == metrics.end() || !causes->is_object()) return out;
  double sum = 0;
  for (const auto& [name, value] : causes->items()) {
    if (!value.is_number() || value.get<double>() <= 0) continue;
    const double ns = value.get<double>();
    sum += ns;
    out.push_back({name, text_or(text, "cause." + name, name), ns, report::duration(static_cast<trace::Ns>(ns))});
  }
  for (auto& share : out) share.value /= sum;
  std::stable_sort(out.begin(), out.end(), [](const Share& a, const Share& b) { return a.value > b.value; });
  return out;
}

std::string difference(const check::DemoManifest& demo, const check::RunRequest& now, const check::RunRequest& before, const content::Text& text) {
  std::string out;
  const auto add = [&out](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  for (const auto& [id, value] : before.knobs) {
    const auto other = now.knobs.find(id);
    if (other == now.knobs.end() || other->second == value) continue;
    const check::Knob* knob = demo.knob(id);
    add(knob == nullptr ? id + " " + value : knob->title.in(text.language()) + " " + report::knob_value(*knob, value));
  }
  if (now.ranks != before.ranks) add(text("report.ranks", {{"n", std::to_string(before.ranks)}}));
  if (now.backend != before.backend) add(before.backend);
  if (now.semantics != before.semantics) add(before.semantics);
  if (now.strict != before.strict) add(text(before.strict ? "gui.strict" : "gui.not_strict"));
  if (now.link != before.link) add(before.link);
  if (now.compute != before.compute) add(before.compute);
  return out;
}

std::string as_text(const Number& number, const std::string& conditions) {
  std::string out = number.id + " = " + number.figure;
  if (!number.beside.empty()) out += "  (" + number.beside + ")";
  return out + "  [" + conditions + "]";
}

}  // namespace p2plab::gui
