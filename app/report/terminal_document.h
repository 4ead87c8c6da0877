// A lesson's blocks in a terminal: lines no wider than it, colours where it has them, tables that stay tables.
#pragma once
#include <string>

#include "app/content/document.h"
#include "app/content/text.h"
#include "app/report/terminal_timeline.h"

namespace p2plab::report {

/// Widest line of running text: longer ones are hard to read.
constexpr int kReadableColumns = 96;

/// One block with everything in it, ending with '\n'; empty for live blocks and figures, which are not text. `indent` blanks
/// stand before each line.
std::string terminal_block(const content::Block& block, const content::Text& text, const Terminal& terminal, int indent = 0);

}  // namespace p2plab::report
