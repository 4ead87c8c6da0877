// A chart in a terminal: bars of blocks, shaded figures, and curves of one letter a series.
#pragma once
#include <string>

#include "app/report/chart.h"
#include "app/report/terminal_timeline.h"

namespace p2plab::report {

/// Lines that end in '\n', none wider than the terminal.
std::string terminal_chart(const Chart& chart, const Terminal& terminal);

/// The text with spaces before it, up to `width` columns.
std::string right_aligned(const std::string& text, int width);

}  // namespace p2plab::report
