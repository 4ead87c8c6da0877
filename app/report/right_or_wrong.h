// What is said of an answer that is right or wrong by itself: a number with how far off it is, a line, a true-false.
#pragma once
#include <fmt/format.h>

#include <string>

#include "app/content/grade.h"
#include "app/content/text.h"

namespace p2plab::report {

/// Empty where nothing was answered.
inline std::string right_or_wrong(const content::Card& card, const content::Attempt& attempt, const content::Text& text) {
  const auto right = content::is_right(card, attempt);
  if (!right) return {};
  if (!attempt.number) return text(*right ? "drill.is_right" : "drill.is_wrong");
  const double error = content::grade(card, attempt).error.value_or(0);
  const std::string id = *right ? error == 0 ? "drill.is_right" : "drill.is_right_by" : "drill.is_wrong_by";
  const auto percent = [](double share) { return share < 0.1 ? fmt::format("{:.2g} %", share * 100) : fmt::format("{:.0f} %", share * 100); };
  return text(id, {{"error", percent(error)}, {"within", percent(card.prediction.tolerance)}});
}

/// Why what was typed for a number was not taken.
inline std::string no_number(const content::Card& card, const std::string& typed, const content::Text& text) {
  const std::string& unit = card.prediction.unit;
  return unit.empty() ? text("drill.bad_number", {{"value", typed}}) : text("drill.bad_number_of", {{"value", typed}, {"unit", unit}});
}

}  // namespace p2plab::report
