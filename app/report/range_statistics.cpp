#include "app/report/range_statistics.h"

#include <algorithm>
#include <array>

namespace p2plab::report {

RangeStatistics range_statistics(const trace::Trace& trace, Range range) {
  constexpr std::size_t kKinds = static_cast<std::size_t>(trace::Kind::wait) + 1;
  std::array<KindStatistics, kKinds> all;
  const auto add = [&](trace::Kind kind, trace::Ns begin, trace::Ns end) {
    const trace::Ns inside = std::min(end, range.end) - std::max(begin, range.begin);
    KindStatistics& sums = all[static_cast<std::size_t>(kind)];
    sums.min = sums.count == 0 ? inside : std::min(sums.min, inside);
    sums.max = std::max(sums.max, inside);
    sums.sum += inside;
    ++sums.count;
  };
  for (const trace::Track& track : trace.tracks()) {
    if (track.lane == trace.in_flight_lane()) continue;
    for (const trace::Row& row : track.rows) {
      for (std::size_t i = row.first_ending_after(range.begin); i < row.size() && row[i].begin < range.end; ++i)
        add(trace.span(row[i].span).kind, row[i].begin, row[i].end);
      if (row.open() == trace::kNoIndex) continue;
      const trace::Span& open = trace.span(row.open());
      if (open.begin < range.end && trace.now() > range.begin) add(open.kind, open.begin, std::max(trace.now(), open.begin));
    }
  }
  RangeStatistics out;
  for (std::size_t k = 0; k < kKinds; ++k) {
    if (all[k].count == 0) continue;
    all[k].kind = static_cast<trace::Kind>(k);
    out.kinds.push_back(all[k]);
  }
  out.overlap = analysis::overlap(trace, {range.begin, range.end});
  return out;
}

}  // namespace p2plab::report
