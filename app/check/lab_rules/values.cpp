// Rules over the numbers that a program hands over: against bounds, against a serial program, against the lab's own measurement.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/analysis/fit.h"
#include "app/check/lab_rules.h"

namespace p2plab::check {

namespace {

using Type = RuleParameter::Type;

/// Every value of this metric; ranks = all (each rank hands one over), any (one at least).
RuleOutcome metric(const LabEvidence& evidence, const RuleWith& with) {
  const std::string name = word_of(with, "name");
  std::vector<bool> heard(static_cast<std::size_t>(evidence.how.ranks), false);
  bool any = false;
  for (const trace::Metric& metric : evidence.trace.metrics()) {
    if (evidence.trace.name(metric.name) != name) continue;
    any = true;
    heard.at(static_cast<std::size_t>(metric.rank)) = true;
    const Bounds bounds(with, evidence.values, metric.rank);
    if (!bounds.hold(metric.value)) return broken("lab-rule.metric", bounds, metric.value, {{"name", name}, {"rank", std::to_string(metric.rank)}});
  }
  const bool all = word_of(with, "ranks", "any") == "all";
  const auto silent = std::find(heard.begin(), heard.end(), false);
  if (any && (!all || silent == heard.end())) return {};
  RuleOutcome out;
  out.pass = false;
  out.what = {"lab-rule.metric-none", {{"name", name}, {"rank", all ? std::to_string(silent - heard.begin()) : "0"}}};
  out.wanted = {{"metric", name}};
  out.seen = {{"value", nullptr}};
  return out;
}

std::map<std::string, std::vector<double>> metrics_of(const trace::Trace& trace, const std::string& prefix) {
  std::map<std::string, std::vector<double>> out;
  for (const trace::Metric& metric : trace.metrics())
    if (trace.name(metric.name).starts_with(prefix)) out[trace.name(metric.name)].push_back(metric.value);
  return out;
}

/// What a serial program computes: each of its metrics that begin with `metrics` is handed over here with the same value.
RuleOutcome reference(const LabEvidence& evidence, const RuleWith& with) {
  const std::string prefix = word_of(with, "metrics");
  const double tolerance = with.contains("within") ? evaluate(with.at("within"), evidence.values) : 1e-5;
  RuleOutcome out;
  out.wanted = {{"within", tolerance}};
  const auto fail = [&](const char* id, const std::string& name, double wanted, double seen) {
    out.pass = false;
    out.what = {id, {{"name", name}, {"wanted", plain(wanted)}, {"seen", plain(seen)}, {"within", fmt::format("{:.0e}", tolerance)}}};
    out.wanted[name] = wanted;
    out.seen[name] = seen;
    return out;
  };
  const auto wanted = evidence.reference == nullptr ? std::map<std::string, std::vector<double>>() : metrics_of(*evidence.reference, prefix);
  if (wanted.empty()) return fail("lab-rule.reference-unknown", prefix, 0, 0);
  const auto seen = metrics_of(evidence.trace, prefix);
  for (const auto& [name, right] : wanted) {
    const auto found = seen.find(name);
    if (found == seen.end()) return fail("lab-rule.reference-none", name, right.front(), 0);
    for (const double value : found->second)
      if (!(std::abs(value - right.front()) <= tolerance * std::max(1.0, std::abs(right.front())))) return fail("lab-rule.reference", name, right.front(), value);
  }
  return out;
}

/// Time of the messages of one size, from both ends posted to complete: the lab's own measurement.
std::map<std::uint64_t, std::vector<double>> message_times(const trace::Trace& trace) {
  std::map<std::uint64_t, std::vector<double>> times;
  for (const trace::Message& message : trace.messages()) {
    if (message.send == trace::kNoIndex || message.receive == trace::kNoIndex) continue;
    const trace::Span &send = trace.span(message.send), &receive = trace.span(message.receive);
    if (!receive.open()) times[send.bytes].push_back(static_cast<double>(receive.end - std::max(send.begin, receive.begin)));
  }
  return times;
}

/// Sizes of which messages were sent: each of `sizes` at least `rounds` times.
RuleOutcome sizes(const LabEvidence& evidence, const RuleWith& with) {
  const auto times = message_times(evidence.trace);
  const double least = with.contains("rounds") ? evaluate(with.at("rounds"), evidence.values) : 1;
  for (const std::string& word : words_of(with, "sizes")) {
    const auto bytes = static_cast<std::uint64_t>(evaluate(word, evidence.values));
    const auto found = times.find(bytes);
    const double seen = found == times.end() ? 0 : static_cast<double>(found->second.size());
    if (seen >= least) continue;
    RuleOutcome out;
    out.pass = false;
    out.what = {"lab-rule.sizes", {{"bytes", std::to_string(bytes)}, {"wanted", plain(least)}, {"seen", plain(seen)}}};
    out.wanted = {{"bytes", bytes}, {"messages", least}};
    out.seen = {{"messages", seen}};
    return out;
  }
  return {};
}

/// The program's metric (`name`) against the lab's own fit of the same run: what = alpha_ns, beta_bytes_per_s,
/// n_half_bytes, or time_ns of `bytes`; of = the sizes that the fit may use.
RuleOutcome prediction(const LabEvidence& evidence, const RuleWith& with) {
  std::vector<analysis::SizeTimes> sizes;
  const auto times = message_times(evidence.trace);
  for (const std::string& word : words_of(with, "of")) {
    const auto found = times.find(static_cast<std::uint64_t>(evaluate(word, evidence.values)));
    if (found != times.end()) sizes.push_back({found->first, found->second});
  }
  const auto fit = analysis::fit_latency_bandwidth(sizes);
  const std::string name = word_of(with, "name"), what = word_of(with, "what");
  RuleOutcome out;
  if (!fit) {
    out.pass = false;
    out.what = {"lab-rule.prediction-unfit", {}};
    return out;
  }
  const double bytes = with.contains("bytes") ? evaluate(with.at("bytes"), evidence.values) : 0;
  const double wanted = what == "alpha_ns" ? fit->alpha_ns : what == "beta_bytes_per_s" ? fit->beta_bytes_per_s : what == "n_half_bytes" ? fit->n_half_bytes : fit->alpha_ns + bytes / fit->beta_bytes_per_s * 1e9;
  RuleWith bounds{{"name", name}, {"exactly", fmt::format("{:.17f}", wanted)}, {"tolerance", word_of(with, "within", "0.1")}};
  return metric(evidence, bounds);
}

/// The program's metric (`name`, bytes) against its own messages: not below one whose send was complete before its receive
/// was posted, and below each that had to wait. Both must have been tried, no more than a factor of two apart.
RuleOutcome threshold(const LabEvidence& evidence, const RuleWith& with) {
  const trace::Trace& trace = evidence.trace;
  std::uint64_t buffered = 0, waited = 0;
  for (const trace::Message& message : trace.messages()) {
    if (message.send == trace::kNoIndex || message.receive == trace::kNoIndex) continue;
    const trace::Span &send = trace.span(message.send), &receive = trace.span(message.receive);
    if (send.begin > receive.begin || send.bytes == 0) continue;  // the receive was there: nothing to learn
    const bool early = !send.open() && send.end <= receive.begin;
    if (early) buffered = std::max(buffered, send.bytes);
    else waited = waited == 0 ? send.bytes : std::min(waited, send.bytes);
  }
  const std::string name = word_of(with, "name");
  RuleOutcome out;
  out.wanted = {{"buffered", buffered}, {"waited", waited}};
  if (buffered == 0 || waited == 0 || waited > 2 * buffered) {
    out.pass = false;
    out.what = {"lab-rule.threshold-untried", {{"buffered", std::to_string(buffered)}, {"waited", std::to_string(waited)}}};
    return out;
  }
  RuleOutcome said = metric(evidence, {{"name", name}, {"at_least", std::to_string(buffered)}, {"at_most", std::to_string(waited - 1)}});
  if (said.pass) return said;
  said.wanted = std::move(out.wanted);
  return said;
}

}  // namespace

std::span<const LabRule> value_rules() {
  static const std::vector<LabRule> kRules = {
      {"metric", {{"name", Type::word, true}, {"ranks"}}, true, metric},
      {"reference", {{"metrics", Type::word, true}, {"within", Type::formula}}, false, reference},
      {"sizes", {{"sizes", Type::word, true}, {"rounds", Type::formula}}, false, sizes},
      {"threshold", {{"name", Type::word, true}}, false, threshold},
      {"prediction", {{"name", Type::word, true}, {"what", Type::word, true}, {"of", Type::word, true}, {"bytes", Type::formula}, {"within"}}, false, prediction},
  };
  return kRules;
}

}  // namespace p2plab::check
