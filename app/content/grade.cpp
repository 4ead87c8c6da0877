// See grade.h.
#include "app/content/grade.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

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

/// Without blanks, in lower case and with plain twins of what has some.
std::string plain_text(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> twins[]{{"−", "-"}, {"µ", "u"}, {"μ", "u"}, {"×", "x"}, {"倍", "x"}, {"毫秒", "ms"}, {"微秒", "us"}, {"纳秒", "ns"}, {"秒", "s"}};
  std::string out;
  while (!text.empty()) {
    const auto twin = std::find_if(std::begin(twins), std::end(twins), [&](const auto& each) { return text.starts_with(each.first); });
    if (twin != std::end(twins)) {
      out += twin->second;
      text.remove_prefix(twin->first.size());
      continue;
    }
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
    char c = text.front();
    std::size_t length = 1;
    if ((byte(0) & 0xF0) == 0xE0 && text.size() >= 3) {  // full-width forms are three bytes long
      const char32_t wide = static_cast<char32_t>((byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F));
      if (const char32_t plain = plain_character(wide); plain < 128) c = static_cast<char>(plain), length = 3;
    }
    if (const auto plain = static_cast<unsigned char>(c); std::isspace(plain) == 0) out += static_cast<char>(std::tolower(plain));
    text.remove_prefix(length);
  }
  return out;
}

std::size_t digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) == 0; }) - text.begin());
}

/// The number at the front, which it takes away. Commas stand between thousands or it is none.
std::optional<double> take_number(std::string_view& text) {
  std::string number;
  const auto take = [&](std::size_t count) {
    number += text.substr(0, count);
    text.remove_prefix(count);
  };
  if (text.starts_with('-') || text.starts_with('+')) take(1);
  std::size_t whole = digits(text), seen = whole;
  take(whole);
  for (bool first = true; text.starts_with(','); first = false) {
    if (digits(text.substr(1)) != 3 || (first && (whole == 0 || whole > 3))) return std::nullopt;
    text.remove_prefix(1);
    take(3);
  }
  if (text.starts_with('.')) {
    const std::size_t part = digits(text.substr(1));
    seen += part;
    take(1 + part);
  }
  if (seen == 0) return std::nullopt;
  if (text.starts_with('e')) {
    const std::size_t sign = text.size() > 1 && (text[1] == '-' || text[1] == '+') ? 1 : 0;
    if (const std::size_t power = digits(text.substr(1 + sign)); power > 0) take(1 + sign + power);
  }
  const double value = std::strtod(number.c_str(), nullptr);
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

/// A number or a fraction at the front, which it takes away.
std::optional<double> take_value(std::string_view& text, bool& fraction) {
  const auto above = take_number(text);
  fraction = above && text.starts_with('/');
  if (!fraction) return above;
  text.remove_prefix(1);
  const auto below = take_number(text);
  return below && *below != 0 ? std::optional<double>(*above / *below) : std::nullopt;
}

struct Unit {
  std::string_view name, kind;
  double size;
};
const Unit* find_unit(std::string_view name) {
  static constexpr Unit units[]{{"ns", "time", 1e-9}, {"us", "time", 1e-6}, {"ms", "time", 1e-3}, {"s", "time", 1}, {"b", "bytes", 1}, {"kb", "bytes", 1e3}, {"mb", "bytes", 1e6}, {"gb", "bytes", 1e9},
                                {"kib", "bytes", 1024}, {"mib", "bytes", 1048576}, {"gib", "bytes", 1073741824}, {"%", "share", 1}, {"x", "times", 1}};
  const auto found = std::find_if(std::begin(units), std::end(units), [&](const Unit& unit) { return unit.name == name; });
  return found == std::end(units) ? nullptr : found;
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

std::optional<bool> is_right(const Card& card, const Attempt& attempt) {
  if (card.kind == CardKind::true_false && attempt.said_true) return attempt.said_true == card.holds;
  if (card.kind == CardKind::spot_bug && attempt.line) return attempt.line == card.line;
  if (card.kind == CardKind::predict && attempt.number) return grade(card, attempt).score == 1;
  return std::nullopt;
}

std::optional<double> parse_number(std::string_view text) {
  const std::string plain = plain_text(text);
  std::string_view rest = plain;
  bool fraction = false;
  const auto value = take_value(rest, fraction);
  if (!value || rest.empty()) return value;
  return rest == "%" ? std::optional<double>(*value / 100) : std::nullopt;
}

std::optional<double> parse_answer(std::string_view text, std::string_view unit) {
  if (unit.empty()) return parse_number(text);
  const std::string plain = plain_text(text), wanted = plain_text(unit);
  std::string_view rest = plain;
  bool fraction = false;
  const auto value = take_value(rest, fraction);
  if (!value) return std::nullopt;
  if (rest.empty()) return fraction && wanted == "%" ? *value * 100 : *value;
  if (rest == wanted) return value;
  const Unit *from = find_unit(rest), *to = find_unit(wanted);
  if (from == nullptr || to == nullptr || from->kind != to->kind) return std::nullopt;
  return *value * from->size / to->size;
}

char32_t plain_character(char32_t character) {
  if (character == U'\u3000') return U' ';
  return character >= U'\uff01' && character <= U'\uff5e' ? character - 0xFEE0 : character;
}

}  // namespace p2plab::content
