// See page.h.
#include "app/cli/page.h"

#include <algorithm>
#include <ostream>
#include <vector>

#include "app/report/utf8.h"
#include "app/report/wrap.h"

namespace p2plab::cli {

namespace {

constexpr int kLeastWidth = 8;

std::vector<std::string> broken_at(const std::string& line, int width) {
  if (report::columns(line) <= width) return {line};
  return report::wrap(line, static_cast<float>(std::max(width, kLeastWidth)), [](std::string_view text) { return static_cast<float>(report::columns(text)); });
}

}  // namespace

void Page::say(const std::string& words, int indent, std::optional<report::Ink> ink, bool bold, int hang) const {
  const auto put = [&](const std::string& line, int by) {
    if (line.empty()) {
      out_ << "\n";
    } else {
      out_ << std::string(static_cast<std::size_t>(by), ' ') << (ink ? report::coloured(line, *ink, terminal_, bold) : line) << "\n";
    }
  };
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find('\n', at), words.size());
    std::string rest = words.substr(at, end - at);
    at = end + 1;
    if (!terminal_.screen || report::columns(rest) <= terminal_.columns - indent) {
      put(rest, indent);
      continue;
    }
    // What goes on has less room, so the first line is taken off and the rest is broken anew.
    const std::string first = broken_at(rest, terminal_.columns - indent).front();
    put(first, indent);
    rest.erase(0, first.size());
    rest.erase(0, std::min(rest.find_first_not_of(' '), rest.size()));
    if (rest.empty()) continue;
    for (const std::string& line : broken_at(rest, terminal_.columns - indent - hang)) put(line, indent + hang);
  }
}

void Page::evidence(const std::string& line, int indent) const {
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  say(line.substr(first), indent + static_cast<int>(first));
}

}  // namespace p2plab::cli
