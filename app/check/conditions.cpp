// See conditions.h.
#include "app/check/conditions.h"

#include <algorithm>

#include "app/check/demo_run.h"
#include "app/check/pipeline_ideal.h"

namespace p2plab::check {

namespace {

bool holds(const std::string& name, const std::string& value, const RunRequest& request, std::optional<double> eager_limit_bytes) {
  if (name == "strict") return request.strict == (value == "true");
  if (name == "semantics") return request.semantics == value;
  const auto is_one_of = [&](const std::string& word) {
    const auto words = alternatives(value);
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (name == "backend") return is_one_of(request.backend);
  if (name == "link") return is_one_of(request.link);
  if (name == "compute") return is_one_of(request.compute);
  if (name == "ranks") return std::to_string(request.ranks) == value;
  if (name == "whole_rounds") return (pipeline_units(request).microbatches % std::max(request.ranks, 1) == 0) == (value == "true");
  const auto knob = request.knobs.find(name == "above_eager" ? "bytes" : name);
  if (knob == request.knobs.end()) return false;
  if (name != "above_eager") return value.starts_with('!') ? knob->second != value.substr(1) : is_one_of(knob->second);
  const auto bytes = parse_amount(knob->second);
  if (!eager_limit_bytes || !bytes) return false;  // not known, so neither true nor false
  return (static_cast<double>(*bytes) > *eager_limit_bytes) == (value == "true");
}

}  // namespace

std::vector<std::string> alternatives(const std::string& value) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find('|', at), value.size());
    out.push_back(value.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

bool hold(const Conditions& conditions, const RunRequest& request, std::optional<double> eager_limit_bytes) {
  return std::all_of(conditions.begin(), conditions.end(), [&](const auto& one) { return holds(one.first, one.second, request, eager_limit_bytes); });
}

}  // namespace p2plab::check
