// The terms of the glossary in a document that is shown, and quotation marks that the window's font can draw.
#pragma once
#include <map>
#include <vector>

#include "app/content/document.h"
#include "app/content/glossary.h"

namespace p2plab::gui {

/// A term of the glossary in a text.
struct MarkedTerm {
  std::size_t begin = 0, end = 0;  ///< bytes of plain_text()
  const content::Term* term = nullptr;
  bool first = false;              ///< of the document
};

/// By the text they stand in. The document must stay where it is.
using MarkedTerms = std::map<const content::Inlines*, std::vector<MarkedTerm>>;

void mark_terms(const content::Document& document, const content::Glossary& glossary, MarkedTerms& into);
const std::vector<MarkedTerm>& terms_of(const MarkedTerms& marks, const content::Inlines& inlines);

/// The window's font draws “ and ” as wide as a Chinese character; English words need the narrow ones.
void narrow_quotes(std::string& text);
void narrow_quotes(content::Document& document);

}  // namespace p2plab::gui
