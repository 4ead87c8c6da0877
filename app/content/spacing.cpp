// See spacing.h.
#include "app/content/spacing.h"

#include <cctype>

namespace p2plab::content {
namespace {

bool latin(char c) { return static_cast<unsigned char>(c) < 0x80 && std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// A character of three bytes in UTF-8 between U+3400 and U+9FFF: a word, not a mark.
bool chinese(std::string_view character) {
  return character.size() == 3 && character >= std::string_view("\u3400") && character <= std::string_view("\u9fff");
}

}  // namespace

bool wants_space(std::string_view left, std::string_view right) {
  if (left.empty() || right.empty()) return false;
  if (latin(right.front())) return left.size() >= 3 && chinese(left.substr(left.size() - 3));
  return latin(left.back()) && chinese(right.substr(0, 3));
}

std::string set_apart(std::string_view left, std::string_view value, std::string_view right) {
  std::string out(wants_space(left, value) ? " " : "");
  out += value;
  if (wants_space(value, right)) out += ' ';
  return out;
}

void fill_in(std::string& sentence, std::string_view name, std::string_view value) {
  const std::string mark = "{" + std::string(name) + "}";
  for (std::size_t at = 0; (at = sentence.find(mark, at)) != std::string::npos;) {
    const std::string_view whole = sentence;
    const std::string by = set_apart(whole.substr(0, at), value, whole.substr(at + mark.size()));
    sentence.replace(at, mark.size(), by);
    at += by.size();
  }
}

}  // namespace p2plab::content
