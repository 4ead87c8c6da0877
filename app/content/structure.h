// What the two languages of a lesson have in common: headings, live blocks, tables, figures, links, numbers.
#pragma once
#include <string>
#include <vector>

#include "app/content/document.h"

namespace p2plab::content {

/// One line for each thing that does not depend on the language, in reading order: "h2", "sim run … look=… value=…",
/// "table 3x4", "callout trap", "links demo:deadlock lesson:overlap", "numbers 0.29 3 27.27" of each section. Twins are
/// equal line by line.
std::vector<std::string> structure(const Document& document);

/// The numbers written in digits in a text, sorted, each once: "27.27 %, 1 024 and 3" gives 1024, 27.27, 3. Digits inside
/// names (1F1B, ZB-H1, 2205.05198) are none.
std::vector<std::string> numbers_in(const std::string& text);

}  // namespace p2plab::content
