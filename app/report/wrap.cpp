// Greedy line breaking over the smallest pieces that may stand alone.
#include "app/report/wrap.h"

namespace p2plab::report {
namespace {

std::size_t length_of(unsigned char lead) { return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4; }

std::string_view character_at(std::string_view text, std::size_t i) {
  return text.substr(i, std::min(length_of(static_cast<unsigned char>(text[i])), text.size() - i));
}

bool one_of(std::string_view character, std::string_view set) {
  return !character.empty() && set.find(character) != std::string_view::npos;
}
bool may_not_begin(std::string_view c) { return one_of(c, "，。、；：？！）》〉」』】〕］｝”’…—·～％℃°%,.;:?!)]}"); }
bool may_not_end(std::string_view c) { return one_of(c, "（《〈「『【〔［｛“‘([{"); }

/// From 0x2E80 on, each character may stand alone.
bool is_wide(std::string_view c) { return c.size() >= 3 && static_cast<unsigned char>(c[0]) >= 0xe2 && c >= std::string_view("\u2e80"); }

/// Where a line may be broken: positions behind which a new line may begin.
std::vector<std::size_t> break_points(std::string_view text) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < text.size();) {
    const auto here = character_at(text, i);
    const std::size_t next = i + here.size();
    if (next >= text.size()) break;
    const auto after = character_at(text, next);
    const bool space = here == " " && after != " " && !one_of(after, "×%％℃");  // a sign stays with its number
    const bool wide = (is_wide(here) || is_wide(after)) && here != " " && after != " ";
    if (space || (wide && !may_not_begin(after) && !may_not_end(here))) out.push_back(next);
    i = next;
  }
  out.push_back(text.size());
  return out;
}

std::string_view without_trailing_space(std::string_view line) {
  while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
  return line;
}

void wrap_paragraph(std::string_view text, float width, const Measure& measure, std::vector<std::string>& out) {
  std::size_t begin = 0, fits = 0;
  for (const std::size_t end : break_points(text)) {
    if (fits > begin && measure(without_trailing_space(text.substr(begin, end - begin))) > width) {
      out.emplace_back(without_trailing_space(text.substr(begin, fits - begin)));
      begin = fits;
    }
    // A piece that is wider than a whole line (a path, say) is broken anywhere.
    while (measure(without_trailing_space(text.substr(begin, end - begin))) > width && end - begin > 1) {
      std::size_t cut_at = begin + character_at(text, begin).size();
      while (cut_at < end && measure(text.substr(begin, cut_at + character_at(text, cut_at).size() - begin)) <= width)
        cut_at += character_at(text, cut_at).size();
      if (cut_at >= end) break;
      out.emplace_back(text.substr(begin, cut_at - begin));
      begin = cut_at;
    }
    fits = end;
  }
  out.emplace_back(without_trailing_space(text.substr(begin)));
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, float width, const Measure& measure) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    wrap_paragraph(text.substr(begin, end - begin), width, measure, out);
    begin = end + 1;
  }
  return out;
}

std::vector<std::string> wrap_parts(std::string_view text, float width, const Measure& measure) {
  constexpr std::string_view kBetween = " · ", kOpen = " ·";  // a line that ends with it goes on
  std::vector<std::string> out{""};
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(kBetween, begin), text.size());
    const std::string part(text.substr(begin, end - begin)), mark(end < text.size() ? kOpen : std::string_view());
    begin = end + kBetween.size();
    const std::string longer = out.back().empty() ? part : out.back() + " " + part;  // its last part left the mark
    if (measure(longer + mark) <= width) {
      out.back() = longer + mark;
      continue;
    }
    auto lines = wrap(part + mark, width, measure);
    if (out.back().empty()) out.pop_back();
    out.insert(out.end(), lines.begin(), lines.end());
  }
  return out;
}

std::string cut(std::string_view text, float width, const Measure& measure) {
  if (measure(text) <= width) return std::string(text);
  const std::string_view dots = "…";
  const float room = width - measure(dots);
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = end + character_at(text, end).size();
    if (measure(text.substr(0, next)) > room) break;
    end = next;
  }
  return std::string(without_trailing_space(text.substr(0, end))) + std::string(dots);
}

}  // namespace p2plab::report
