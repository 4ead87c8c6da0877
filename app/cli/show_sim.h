// What a simulated run looks like in a terminal: timeline, numbers, stages; several runs as one table.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "app/check/sim.h"
#include "app/cli/context.h"
#include "app/trace/trace.h"

namespace p2plab::cli {

/// Under which conditions it was simulated, in one line: "p=4 m=8 · F 1 ms B 2 ms · α 5 µs …". `swept` (p, m or v) has the
/// values `range` instead of its own.
std::string sim_conditions(const Context& context, const check::SimRun& run, const std::string& swept = {}, const std::string& range = {});
/// The run as a trace, alone or several schedules side by side, a lane each.
trace::Trace sim_trace(const std::vector<check::SimRun>& runs);

/// Timeline (when `timeline`), numbers and the table of stages.
void print_sim(const Context& context, const check::SimRun& run, bool timeline, std::ostream& out, int fd);
/// A table: one row for each run, the first column `heading`; as many columns as the terminal is wide.
void print_sims(const Context& context, const std::vector<check::SimRun>& runs, const std::vector<std::string>& names, const std::string& heading,
                std::ostream& out, int fd);

/// Columns aligned, numbers to the right; the first row is the heading. For terminals with wide characters.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace p2plab::cli
