// What happened in a stretch of time, kind by kind, and how much communication hid behind computation.
#pragma once
#include <cstddef>
#include <vector>

#include "app/analysis/overlap.h"
#include "app/trace/trace.h"

namespace p2plab::report {

struct Range {
  trace::Ns begin = 0, end = 0;
  trace::Ns width() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

/// Times are those inside the range: a span that reaches beyond it counts with its part.
struct KindStatistics {
  trace::Kind kind = trace::Kind::other;
  std::size_t count = 0;
  trace::Ns sum = 0, min = 0, max = 0;
  trace::Ns mean() const { return count == 0 ? 0 : sum / static_cast<trace::Ns>(count); }
};

struct RangeStatistics {
  std::vector<KindStatistics> kinds;  ///< those that occur, in the order of trace::Kind
  analysis::Overlap overlap;          ///< over all ranks
};
/// Spans in flight are left out of the kinds: the calls that posted them are counted on their lanes.
RangeStatistics range_statistics(const trace::Trace& trace, Range range);

}  // namespace p2plab::report
