// See lab_rules.h: the list of rules, and what they share.
#include "app/check/lab_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "app/content/nearest.h"

namespace p2plab::check {

namespace {

constexpr std::string_view kBounds[] = {"exactly", "at_least", "at_most"};

std::optional<double> bound(const RuleWith& with, const std::string& name, const LabValues& values) {
  const auto found = with.find(name);
  if (found == with.end()) return std::nullopt;
  return evaluate(found->second, values);
}

LabValues with_rank(LabValues values, int rank) {
  values["rank"] = rank;
  return values;
}

}  // namespace

std::span<const LabRule> lab_rules() {
  static const std::vector<LabRule> kRules = [] {
    std::vector<LabRule> all;
    for (const auto family : {message_rules(), sending_rules(), call_rules(), request_rules(), overlap_rules(), pipeline_rules(), value_rules()}) all.insert(all.end(), family.begin(), family.end());
    return all;
  }();
  return kRules;
}

const LabRule* find_lab_rule(std::string_view name) {
  for (const LabRule& rule : lab_rules())
    if (rule.name == name) return &rule;
  return nullptr;
}

std::vector<std::string> lab_rule_names() {
  std::vector<std::string> names;
  for (const LabRule& rule : lab_rules()) names.emplace_back(rule.name);
  return names;
}

bool is_formula(const LabRule& rule, std::string_view parameter) {
  if (rule.compares && std::find(std::begin(kBounds), std::end(kBounds), parameter) != std::end(kBounds)) return true;
  return std::any_of(rule.parameters.begin(), rule.parameters.end(),
                     [&](const RuleParameter& p) { return p.name == parameter && p.type == RuleParameter::Type::formula; });
}

std::string wrong_parameters(const LabRule& rule, const RuleWith& with) {
  std::vector<std::string> known;
  for (const RuleParameter& parameter : rule.parameters) {
    known.emplace_back(parameter.name);
    if (parameter.required && !with.contains(std::string(parameter.name))) return fmt::format("rule \"{}\" needs \"{}\"", rule.name, parameter.name);
  }
  if (rule.compares) {
    for (const std::string_view name : kBounds) known.emplace_back(name);
    known.emplace_back("tolerance");
    if (std::none_of(std::begin(kBounds), std::end(kBounds), [&](std::string_view name) { return with.contains(std::string(name)); }))
      return fmt::format("rule \"{}\" needs exactly, at_least or at_most", rule.name);
  }
  for (const auto& [name, value] : with) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fmt::format("rule \"{}\" has no parameter \"{}\" (it has {})", rule.name, name, content::join(known));
  }
  return {};
}

std::string word_of(const RuleWith& with, const std::string& name, const std::string& fallback) {
  const auto found = with.find(name);
  return found == with.end() ? fallback : found->second;
}

std::vector<std::string> words_of(const RuleWith& with, const std::string& name) {
  std::istringstream in(word_of(with, name));
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::pair<int, int> pair_of(const RuleWith& with, const std::string& name) {
  std::istringstream in(word_of(with, name));
  int a = 0, b = 0;
  if (!(in >> a >> b)) throw std::invalid_argument("\"" + name + "\" must be two ranks, as in \"0 1\"");
  return {a, b};
}

Bounds::Bounds(const RuleWith& with, LabValues values)
    : exactly_(bound(with, "exactly", values)), least_(bound(with, "at_least", values)), most_(bound(with, "at_most", values)) {
  if (const auto found = with.find("tolerance"); found != with.end()) tolerance_ = std::stod(found->second);
}
Bounds::Bounds(const RuleWith& with, LabValues values, int rank) : Bounds(with, with_rank(std::move(values), rank)) {}

bool Bounds::hold(double seen) const {
  constexpr double kRounding = 1e-9;
  const auto slack = [&](double wanted) { return std::abs(wanted) * (tolerance_ + kRounding); };
  if (!std::isfinite(seen)) return false;
  if (exactly_ && std::abs(seen - *exactly_) > slack(*exactly_)) return false;
  if (least_ && seen < *least_ - slack(*least_)) return false;
  return !(most_ && seen > *most_ + slack(*most_));
}

std::string Bounds::text(double unit) const {
  std::vector<std::string> parts;
  if (exactly_) parts.push_back(plain(*exactly_ / unit));
  if (least_) parts.push_back("≥ " + plain(*least_ / unit));
  if (most_) parts.push_back("≤ " + plain(*most_ / unit));
  std::string out = content::join(parts);
  if (tolerance_ > 0) out += fmt::format(" (± {:.3g} %)", tolerance_ * 100);
  return out;
}

nlohmann::ordered_json Bounds::json() const {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  if (exactly_) out["exactly"] = *exactly_;
  if (least_) out["at_least"] = *least_;
  if (most_) out["at_most"] = *most_;
  return out;
}

std::string plain(double value) {
  if (std::isfinite(value) && value == std::floor(value) && std::abs(value) < 1e15) return std::to_string(static_cast<std::int64_t>(value));
  return fmt::format("{:.10g}", value);
}

RuleOutcome broken(const std::string& id, const Bounds& bounds, double seen, Params more, double unit) {
  RuleOutcome out;
  out.pass = false;
  more.emplace_back("wanted", bounds.text(unit));
  more.emplace_back("seen", plain(seen / unit));
  out.what = {id, std::move(more)};
  out.wanted = bounds.json();
  out.seen = {{"value", seen}};
  for (const auto& [name, value] : out.what.params) {
    if (name == "wanted" || name == "seen" || value.empty()) continue;
    (name == "bytes" ? out.wanted : out.seen)[name] = value;  // the size of the messages that count
  }
  return out;
}

std::vector<trace::SpanId> calls_of(const trace::Trace& trace, int rank) {
  std::vector<trace::SpanId> calls;
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const auto id = static_cast<trace::SpanId>(i);
    if (trace.rank_of(id) == rank && (trace.span(id).flags & trace::kInFlight) == 0) calls.push_back(id);
  }
  std::stable_sort(calls.begin(), calls.end(), [&](trace::SpanId a, trace::SpanId b) { return trace.span(a).begin < trace.span(b).begin; });
  return calls;
}

}  // namespace p2plab::check
