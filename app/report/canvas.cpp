#include "app/report/canvas.h"

#include "app/report/utf8.h"

namespace p2plab::report {

std::string fitted(Canvas& canvas, std::string_view text, double room, Type type) {
  if (canvas.width(text, type) <= room) return std::string(text);
  while (!text.empty()) {
    std::size_t end = text.size() - 1;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // a whole character
    text = text.substr(0, end);
    std::string shorter = std::string(text) + "…";
    // Two letters and three dots say less than nothing.
    if (!text.empty() && canvas.width(shorter, type) <= room) return columns(text) >= 4 ? shorter : std::string();
  }
  return {};
}

}  // namespace p2plab::report
