// What a mock interview came to: grades, the weakest misconceptions, and what to do again. The same answers give the same
// report: no clock and no date stand in it.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "app/content/mock.h"
#include "app/content/text.h"

namespace p2plab::report {

/// The report as its parts, for who draws it otherwise.
struct MockPart {
  std::string heading;
  std::vector<std::string> lines;                          ///< paragraphs
  std::vector<std::vector<std::string>> rows;              ///< a table; the first row is its heading
  std::vector<std::pair<std::string, std::string>> items;  ///< what, and the command that proves it (may be empty)
};
std::vector<MockPart> mock_parts(const content::Mock& mock, const content::Cards& cards, const content::Text& text);

std::string mock_markdown(const content::Mock& mock, const content::Cards& cards, const content::Text& text);
std::string mock_html(const content::Mock& mock, const content::Cards& cards, const content::Text& text);

/// "p2plab sim 1f1b -p 4 -m 8": what proves a card.
std::string evidence_command(const content::Card& card);
/// For a card missed again and again: its lab, where it has one.
const content::Evidence& leech_evidence(const content::Card& card);
std::string shell_words(const std::vector<std::string>& words);

}  // namespace p2plab::report
