// What the numbers of a run must bear out before its sentence is said ([[expect]] of demo.toml). A program that ended well
// has not shown what it was to show when its own numbers say otherwise.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/check/conditions.h"
#include "app/content/twin.h"

namespace p2plab::content {
class TomlReader;
}

namespace p2plab::check {

/// A number, or the quotient of two, within bounds; without a bound it only has to be there. With `rows` it is one of each row
/// of that table.
struct Expectation {
  Conditions when;
  std::string rows;                         ///< table; empty: `value` and `over` are paths as claims have them
  std::map<std::string, std::string> only;  ///< rows with these words only
  std::string value, over;
  std::optional<double> at_least, at_most;
  bool machine = false;                     ///< a busy machine can spoil it: where time is real, missing it is said and fails nothing
  content::Twin otherwise;                  ///< what is said instead: {value}, {metric}, and {column} of the row
};

/// The expectation that was missed, and by what.
struct NotShown {
  Expectation expected;
  double value = 0;            ///< no number where there is none
  nlohmann::ordered_json row;  ///< of a table; null otherwise
};

/// Reads [[expect]], but for its `when`.
Expectation read_expectation(const content::TomlReader& reader);

/// The first expectation that the metrics miss; of a table the row that misses it by most. What was not measured lies within any
/// bound.
std::optional<NotShown> not_shown(const std::vector<Expectation>& expectations, const RunRequest& request, const nlohmann::ordered_json& metrics);

/// Whether the run fails for it: time on a real clock is advice, never a verdict.
bool breaks_promise(const NotShown& missed, const RunRequest& request);

nlohmann::ordered_json to_json(const NotShown& missed);

}  // namespace p2plab::check
