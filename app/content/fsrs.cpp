// See fsrs.h.
#include "app/content/fsrs.h"

#include <algorithm>
#include <cmath>

namespace p2plab::content::fsrs {

namespace {

constexpr const auto& w = kWeights;
constexpr double kLeastStability = 0.001;
constexpr int kLongestDays = 36500;

const double kFactor = std::pow(0.9, -1 / w[20]) - 1;

double number(Rating rating) { return static_cast<double>(rating); }

/// Not clamped: the difficulty that reviews drift back to is the one of a first "easy".
double first_difficulty(Rating rating) { return w[4] - std::exp(w[5] * (number(rating) - 1)) + 1; }

double next_difficulty(double difficulty, Rating rating) {
  const double change = -w[6] * (number(rating) - 3) * (10 - difficulty) / 9;  // damped towards 10
  return std::clamp(w[7] * first_difficulty(Rating::easy) + (1 - w[7]) * (difficulty + change), 1.0, 10.0);
}

double same_day_stability(double stability, Rating rating) {
  double growth = std::exp(w[17] * (number(rating) - 3 + w[18])) * std::pow(stability, -w[19]);
  if (rating != Rating::again) growth = std::max(growth, 1.0);
  return stability * growth;
}

double recalled_stability(const Memory& memory, double recall, Rating rating) {
  const double penalty = rating == Rating::hard ? w[15] : 1, bonus = rating == Rating::easy ? w[16] : 1;
  return memory.stability * (1 + std::exp(w[8]) * (11 - memory.difficulty) * std::pow(memory.stability, -w[9]) * (std::exp((1 - recall) * w[10]) - 1) * penalty * bonus);
}

double forgotten_stability(const Memory& memory, double recall) {
  const double after = w[11] * std::pow(memory.difficulty, -w[12]) * (std::pow(memory.stability + 1, w[13]) - 1) * std::exp((1 - recall) * w[14]);
  return std::min(after, memory.stability / std::exp(w[17] * w[18]));
}

}  // namespace

double retrievability(const Memory& memory, double days) { return std::pow(1 + kFactor * days / memory.stability, -w[20]); }

Memory first(Rating rating) {
  return {std::max(w[static_cast<std::size_t>(rating) - 1], kLeastStability), std::clamp(first_difficulty(rating), 1.0, 10.0)};
}

Memory next(const Memory& memory, int days, Rating rating) {
  const double recall = retrievability(memory, days);
  const double stability = days < 1                  ? same_day_stability(memory.stability, rating)
                           : rating == Rating::again ? forgotten_stability(memory, recall)
                                                     : recalled_stability(memory, recall, rating);
  return {std::max(stability, kLeastStability), next_difficulty(memory.difficulty, rating)};
}

int interval(const Memory& memory, double retention) {
  const double days = memory.stability / kFactor * (std::pow(retention, -1 / w[20]) - 1);
  return static_cast<int>(std::clamp(std::nearbyint(days), 1.0, static_cast<double>(kLongestDays)));
}

}  // namespace p2plab::content::fsrs
