// Overlap of communication and computation, as DESIGN defines it: C and K are unions of half-open intervals.
#pragma once
#include <optional>
#include <vector>

#include "app/trace/trace.h"

namespace p2plab::analysis {

struct Window {
  trace::Ns begin = 0;
  trace::Ns end = 0;
};

struct Overlap {
  trace::Ns compute_ns = 0;  ///< |K|
  trace::Ns comm_ns = 0;     ///< |C|
  trace::Ns overlap_ns = 0;  ///< |C and K|
  trace::Ns exposed_ns() const { return comm_ns - overlap_ns; }
  /// overlap / |C|; nothing when there is no communication.
  std::optional<double> ratio() const;
};

/// From the first begin to the last end of any compute or communication span; the current instant bounds open spans.
Window whole_run(const trace::Trace& trace);
Overlap overlap(const trace::Trace& trace, int rank, Window window);
/// Sum over all ranks.
Overlap overlap(const trace::Trace& trace, Window window);

}  // namespace p2plab::analysis
