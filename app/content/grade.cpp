// See grade.h.
#include "app/content/grade.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>

namespace p2plab::content {

namespace {

constexpr double kLossPerError = 2;  // an error of 50 % leaves nothing

double ticked_share(const Card& card, const Attempt& attempt) {
  int said = 0;
  for (std::size_t i = 0; i < card.points.size() && i < attempt.points.size(); ++i)
    if (attempt.points[i]) said += card.points[i].weight;
  return static_cast<double>(said) / std::max(1, card.weight());
}

/// Share of pairs in the right order; an incomplete order has none right.
double order_score(const Card& card, const std::vector<int>& order) {
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != static_cast<int>(i)) return 0;
  const std::size_t n = card.steps.size();
  if (order.size() != n || n < 2) return 0;
  std::size_t right = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) right += order[i] < order[j] ? 1 : 0;
  return static_cast<double>(right) / (static_cast<double>(n * (n - 1)) / 2);
}

std::optional<double> plain_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(value)) return std::nullopt;
  const std::string rest(end);
  if (rest == "%" || rest == "％") return value / 100;
  return rest.empty() ? std::optional<double>(value) : std::nullopt;
}

}  // namespace

fsrs::Rating Grade::rating() const {
  return letter == 'A' ? fsrs::Rating::easy : letter == 'B' ? fsrs::Rating::good : letter == 'C' ? fsrs::Rating::hard : fsrs::Rating::again;
}

int Grade::quality() const { return letter == 'A' ? 5 : letter == 'B' ? 4 : letter == 'C' ? 3 : 1; }

char letter_of(double score) { return score >= 0.9 ? 'A' : score >= 0.7 ? 'B' : score >= 0.4 ? 'C' : 'D'; }

bool points_count(CardKind kind) { return kind != CardKind::predict && kind != CardKind::order; }

Grade grade(const Card& card, const Attempt& attempt) {
  Grade out;
  const double said = ticked_share(card, attempt);
  const bool half = card.kind == CardKind::true_false || card.kind == CardKind::spot_bug || card.kind == CardKind::cause_bug;
  if (card.kind == CardKind::predict) {
    if (attempt.number) {
      out.error = std::abs(*attempt.number - card.prediction.value) / std::abs(card.prediction.value);
      out.score = *out.error <= card.prediction.tolerance * (1 + 1e-9) ? 1 : std::clamp(1 - kLossPerError * *out.error, 0.0, 0.89);
    }
  } else if (card.kind == CardKind::order) {
    out.score = order_score(card, attempt.order);
  } else if (half) {
    const bool hit = card.kind == CardKind::true_false ? attempt.said_true == card.holds : card.kind == CardKind::spot_bug ? attempt.line == card.line : attempt.deadlocked;
    out.score = hit ? 0.5 + said / 2 : card.kind == CardKind::true_false ? 0 : said / 2;
  } else {
    out.score = said;
  }
  out.letter = letter_of(out.score);
  if (out.letter == 'A' && points_count(card.kind) && !attempt.proof) out.letter = 'B';
  if (std::find(attempt.fatal.begin(), attempt.fatal.end(), true) != attempt.fatal.end()) out.letter = 'D';
  if (points_count(card.kind)) {
    for (std::size_t i = 0; i < card.points.size(); ++i)
      if (i >= attempt.points.size() || !attempt.points[i]) out.missed.push_back(i);
    std::stable_sort(out.missed.begin(), out.missed.end(), [&](std::size_t a, std::size_t b) { return card.points[a].weight > card.points[b].weight; });
  }
  return out;
}

std::optional<double> parse_number(std::string_view text) {
  std::string plain;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != ',') plain += c;
  const auto slash = plain.find('/');
  if (slash == std::string::npos) return plain_number(plain);
  const auto above = plain_number(plain.substr(0, slash)), below = plain_number(plain.substr(slash + 1));
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below;
}

}  // namespace p2plab::content
