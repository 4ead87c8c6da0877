// See document.h.
#include "app/content/document.h"

namespace p2plab::content {

std::string plain_text(const Inlines& inlines) {
  std::string out;
  for (const Inline& each : inlines) out += each.text;
  return out;
}

std::vector<std::string> links_of(const Document& document) {
  std::vector<std::string> out;
  each_text(document, [&](const Inlines& inlines, const Block&) {
    for (const Inline& each : inlines)
      if (!each.target.empty()) out.push_back(each.target);
  });
  return out;
}

}  // namespace p2plab::content
