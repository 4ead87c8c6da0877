// Which messages are drawn as arrows, and where each begins and ends. Ends outside of the view keep their true place,
// so that a line that crosses the view stays visible.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "app/trace/trace.h"

namespace p2plab::report {

struct Arrow {
  trace::SpanId send = trace::kNoIndex;     ///< in flight
  trace::SpanId receive = trace::kNoIndex;  ///< in flight
  trace::Ns begin = 0;                      ///< the send was posted
  trace::Ns end = 0;                        ///< the receive completed; the newest instant while it has not
  bool pending = false;                     ///< not complete
  bool uncertain = false;                   ///< shorter than the clocks' error, or backwards
  bool inside = false;                      ///< within a rank (stream_arrows.h), no message
};

struct Arrows {
  std::vector<Arrow> shown;
  std::size_t left_out = 0;  ///< further messages in the view, beyond the cap
};

/// Finds the messages that touch a stretch of time; follows a growing trace.
class MessageIndex {
 public:
  /// Cost follows what is new and what was not complete before.
  void update(const trace::Trace& trace);
  /// At most `cap`, spread evenly over all that touch [begin, end).
  Arrows arrows(const trace::Trace& trace, trace::Ns begin, trace::Ns end, std::size_t cap = 2000) const;
  /// The messages of one span: a span in flight, or the call that posted it (same rank, same request).
  std::vector<Arrow> of(const trace::Trace& trace, trace::SpanId span) const;

 private:
  static constexpr std::size_t kGroup = 256;
  struct Group {
    trace::Ns begin = trace::kOpen, end = 0;
    bool complete = false;
  };
  std::vector<Group> groups_;  ///< every kGroup messages, in the order of trace.messages()
};

/// All of a finished trace at once.
Arrows arrows(const trace::Trace& trace, trace::Ns begin, trace::Ns end, std::size_t cap = 2000);

/// The part of a line inside a box; nothing if it misses.
struct Segment {
  double x0, y0, x1, y1;
};
std::optional<Segment> clip(Segment line, double left, double top, double right, double bottom);

}  // namespace p2plab::report
