// See words.h. The id of a name's text is the name in small letters, with _ for all that is no letter and n for a number.
#include "app/report/words.h"

#include <cctype>
#include <utility>

#include "app/report/timeline_layout.h"

namespace p2plab::report {
namespace {

struct Entry {
  std::string id, number;
};

Entry entry(std::string_view name, std::string kind = "span-name.") {
  Entry out{std::move(kind), {}};
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    if (std::isdigit(c) != 0) {
      if (out.number.empty()) out.id += 'n';
      out.number += name[i];
    } else {
      out.id += std::isalpha(c) != 0 ? static_cast<char>(std::tolower(c)) : '_';
    }
  }
  return out;
}

}  // namespace

bool has_words(std::string_view name, const content::Text& text) { return text.has(entry(name).id); }

std::string shown_name(std::string_view name, const content::Text& text) {
  const Entry at = entry(name);
  return text.has(at.id) ? text(at.id, {{"n", at.number}}) : std::string(name);
}

std::string shown_lane(const std::string& lane, const content::Text& text) {
  const Entry at = entry(lane, "lane.");
  return text.has(at.id) ? text(at.id, {{"n", at.number}}) : lane;
}

std::string shown_label(const trace::Trace& trace, const trace::Span& span, const content::Text& text) {
  const std::string& name = trace.name(span.name);
  const std::string words = label(trace, span);
  if (words == name) return shown_name(name, text);
  return name.empty() && words == kind_word(span.kind) ? text("span." + words) : words;
}

std::string colon(const content::Text& text) { return text.language() == content::Language::zh ? "：" : ": "; }

}  // namespace p2plab::report
