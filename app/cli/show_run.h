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
  /// What ends early leaves no picture on the screen either.
  ~LiveTimeline();
  LiveTimeline(const LiveTimeline&) = delete;
  LiveTimeline& operator=(const LiveTimeline&) = delete;
  void update(const trace::Trace& trace);
  /// Removes what is on the screen, so that the final picture takes its place.
  void clear();

 private:
  const content::Text& text_;
  int fd_;
  bool live_;
  std::string picture_;  ///< that stands on the screen
  std::uint64_t revision_ = 0;
  trace::Ns next_ = 0;
};

/// A run that is over, without its job.
struct PastRun {
  const check::DemoManifest& demo;
  check::RunRequest request;
  trace::Trace trace;
};

/// The whole timeline, then verdict, numbers, evidence, warnings and conditions.
void print_run(const Context& context, const PastRun& run, const check::RunResult& result, std::ostream& out, int fd);

}  // namespace p2plab::cli
