// See marked_terms.h.
#include "app/gui/model/marked_terms.h"

#include <set>

namespace p2plab::gui {
namespace {

/// The text with its code blanked out, but for code that is a term as a whole: gpipe.cpp is no GPipe.
std::string running_text(const content::Inlines& inlines, const content::Glossary& glossary) {
  std::string out;
  for (const content::Inline& each : inlines) {
    const bool code = (each.style & content::Inline::code) != 0;
    const auto found = code ? glossary.find(each.text) : std::vector<content::Found>{};
    const bool whole = found.size() == 1 && found.front().begin == 0 && found.front().end == each.text.size();
    out += code && !whole ? std::string(each.text.size(), ' ') : each.text;
  }
  return out;
}

}  // namespace

void mark_terms(const content::Document& document, const content::Glossary& glossary, MarkedTerms& into) {
  std::set<const content::Term*> seen;
  content::each_text(document, [&](const content::Inlines& inlines, const content::Block& block) {
    auto& here = into[&inlines];
    for (const auto& found : glossary.find(running_text(inlines, glossary)))
      here.push_back({found.begin, found.end, found.term, block.kind != content::Block::Kind::heading && seen.insert(found.term).second});
  });
}

const std::vector<MarkedTerm>& terms_of(const MarkedTerms& marks, const content::Inlines& inlines) {
  static const std::vector<MarkedTerm> none;
  const auto found = marks.find(&inlines);
  return found == marks.end() ? none : found->second;
}

void narrow_quotes(std::string& text) {
  for (const std::string_view wide : {"“", "”"})
    for (std::size_t at = 0; (at = text.find(wide, at)) != std::string::npos;) text.replace(at, wide.size(), "\"");
  for (std::size_t at = 0; (at = text.find("’", at)) != std::string::npos;) text.replace(at, std::string_view("’").size(), "'");
}

namespace {

void narrow_texts(content::Inlines& inlines) {
  for (content::Inline& each : inlines) narrow_quotes(each.text);
}
void narrow_texts(std::vector<content::Block>& blocks) {
  for (content::Block& block : blocks) {
    narrow_texts(block.inlines);
    for (auto& row : block.rows)
      for (auto& cell : row) narrow_texts(cell);
    narrow_quotes(block.live.ask);
    narrow_quotes(block.live.why);
    for (std::string& answer : block.live.answers) narrow_quotes(answer);
    narrow_texts(block.children);
  }
}

}  // namespace

void narrow_quotes(content::Document& document) { narrow_texts(document.blocks); }

}  // namespace p2plab::gui
