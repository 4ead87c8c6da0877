// The timeline in a terminal: one line a lane, a label where it fits, waits as ░; colour where the terminal has it.
#pragma once
#include <string>
#include <string_view>

#include "app/analysis/ideal_run.h"
#include "app/content/text.h"
#include "app/report/palette.h"
#include "app/trace/trace.h"

namespace p2plab::report {

struct Terminal {
  enum class Colour { none, c256, full };
  int columns = 80;
  int lines = 0;        ///< of the screen; 0: no screen, or not known
  bool screen = false;  ///< somebody looks at it: texts are broken into lines
  Colour colour = Colour::none;
  Theme theme = Theme::dark;
};
/// What stands behind a file descriptor: its width, and colour unless it is no terminal or NO_COLOR is set. Without a
/// terminal COLUMNS counts, else 80.
Terminal terminal(int fd);

struct TerminalOptions {
  trace::Ns begin = 0, end = 0;  ///< the whole run when end is 0
  bool legend = true;
  const analysis::IdealRun* ideal = nullptr;  ///< laid under the lanes, pale
};
/// Lines that end in '\n', none wider than the terminal.
std::string terminal_timeline(const trace::Trace& trace, const content::Text& text, const Terminal& terminal, const TerminalOptions& options = {});

/// The text in a colour, where there is colour; for verdicts and headings beside the timeline.
std::string coloured(std::string_view text, Ink ink, const Terminal& terminal, bool bold = false);

}  // namespace p2plab::report
