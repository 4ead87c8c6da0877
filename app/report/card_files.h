// Cards outside the lab: notes for Anki, and a cheat sheet to print, one page a language.
#pragma once
#include <string>

#include "app/content/card.h"
#include "app/content/text.h"

namespace p2plab::report {

/// Tab-separated, with the header lines that Anki reads: question and answer in zh and en, tags.
std::string anki_notes(const content::Cards& cards, const content::Text& text);

/// HTML with one A4 page for zh and one for en: the pitch, the questions that weigh most with their points, what must not
/// be said, and the formulae.
std::string cheat_sheet(const content::Cards& cards, content::Text text);

}  // namespace p2plab::report
