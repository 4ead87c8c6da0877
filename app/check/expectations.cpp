// See expectations.h.
#include "app/check/expectations.h"

#include <algorithm>
#include <cmath>

#include "app/check/claim_run.h"
#include "app/check/demo_run.h"
#include "app/content/toml_reader.h"

namespace p2plab::check {

namespace {

using nlohmann::ordered_json;

/// A number, or the middle of several runs'.
std::optional<double> number_at(const ordered_json& in, const std::string& path) {
  const ordered_json found = value_in(in, path);
  const ordered_json& value = found.is_object() && found.contains("median") ? found["median"] : found;
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

std::optional<double> measured(const Expectation& expected, const ordered_json& in) {
  const auto value = number_at(in, expected.value);
  if (!value || expected.over.empty()) return value;
  const auto over = number_at(in, expected.over);
  if (!over || *over == 0) return std::nullopt;
  return *value / *over;
}

/// By how much it lies outside, as a share of the bound; 0 and less: it does not.
double missed_by(const Expectation& expected, double value) {
  const auto share = [](double by, double bound) { return bound == 0 ? by : by / std::abs(bound); };
  double out = 0;
  if (expected.at_least) out = std::max(out, share(*expected.at_least - value, *expected.at_least));
  if (expected.at_most) out = std::max(out, share(value - *expected.at_most, *expected.at_most));
  return out;
}

bool wanted(const Expectation& expected, const ordered_json& row) {
  return std::all_of(expected.only.begin(), expected.only.end(), [&](const auto& one) {
    const auto found = row.find(one.first);
    return found != row.end() && (found->is_string() ? found->template get<std::string>() : found->dump()) == one.second;
  });
}

std::optional<NotShown> missed(const Expectation& expected, const ordered_json& metrics) {
  std::optional<NotShown> worst;
  double by = 0;
  const auto look = [&](const ordered_json& in, const ordered_json& row) {
    const auto value = measured(expected, in);
    if (!value || missed_by(expected, *value) <= by) return;
    by = missed_by(expected, *value);
    worst = NotShown{expected, *value, row};
  };
  if (expected.rows.empty()) {
    if (!expected.at_least && !expected.at_most && !measured(expected, metrics)) return NotShown{expected, std::nan(""), nullptr};
    look(metrics, nullptr);
  } else if (const auto table = metrics.find(expected.rows); table != metrics.end() && table->is_array()) {
    for (const ordered_json& row : *table)
      if (row.is_object() && wanted(expected, row)) look(row, row);
  }
  return worst;
}

}  // namespace

Expectation read_expectation(const content::TomlReader& reader) {
  reader.only({"when", "rows", "only", "value", "over", "at_least", "at_most", "machine", "otherwise"});
  Expectation out;
  out.rows = reader.text_or("rows", "");
  out.only = reader.values("only");
  out.value = reader.text("value");
  out.over = reader.text_or("over", "");
  if (reader.has("at_least")) out.at_least = reader.real("at_least");
  if (reader.has("at_most")) out.at_most = reader.real("at_most");
  if (!out.rows.empty() && !out.at_least && !out.at_most) reader.broken("rows needs at_least or at_most");
  out.machine = reader.has("machine") && reader.truth("machine");
  out.otherwise = reader.bilingual("otherwise");
  return out;
}

std::optional<NotShown> not_shown(const std::vector<Expectation>& expectations, const RunRequest& request, const ordered_json& metrics) {
  for (const Expectation& expected : expectations) {
    if (!hold(expected.when, request)) continue;
    if (auto found = missed(expected, metrics)) return found;
  }
  return std::nullopt;
}

bool breaks_promise(const NotShown& missed, const RunRequest& request) { return !missed.expected.machine || request.backend == "sim"; }

ordered_json to_json(const NotShown& missed) {
  const Expectation& expected = missed.expected;
  const auto bound = [](const std::optional<double>& value) { return value ? ordered_json(*value) : ordered_json(nullptr); };
  return {{"number", expected.over.empty() ? expected.value : expected.value + " / " + expected.over},
          {"table", expected.rows.empty() ? ordered_json(nullptr) : ordered_json(expected.rows)},
          {"value", std::isfinite(missed.value) ? ordered_json(missed.value) : ordered_json(nullptr)},
          {"at_least", bound(expected.at_least)},
          {"at_most", bound(expected.at_most)},
          {"row", missed.row}};
}

}  // namespace p2plab::check
