// What a run looks like in a terminal: the timeline while it grows, then the summary.
#pragma once
#include <iosfwd>

#include "app/check/demo_run.h"
#include "app/cli/context.h"
#include "app/report/terminal_timeline.h"

namespace p2plab::cli {

/// Redraws the timeline in place, a few times a second; does nothing where there is no terminal.
class LiveTimeline {
 public:
  LiveTimeline(const Context& context, int fd);
  void update(const trace::Trace& trace);
  /// Removes what is on the screen, so that the final picture takes its place.
  void clear();

 private:
  const content::Text& text_;
  report::Terminal terminal_;
  int fd_;
  bool live_;
  int lines_ = 0;
  std::uint64_t revision_ = 0;
  trace::Ns next_ = 0;
};

/// The whole timeline, then verdict, numbers, evidence, warnings and conditions.
void print_run(const Context& context, const check::DemoRun& run, const check::RunResult& result, std::ostream& out, int fd);

}  // namespace p2plab::cli
