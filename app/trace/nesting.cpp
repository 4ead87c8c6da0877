// Which spans nest; see nesting.h.
#include "app/trace/nesting.h"

namespace p2plab::trace {
namespace {

// The span of the row above that was open when this one began; kNoIndex if there was none.
SpanId span_above(const Trace& trace, const Span& span) {
  const Row& row = trace.tracks()[span.track].rows[span.depth - 1u];
  if (row.open() != kNoIndex && trace.span(row.open()).begin <= span.begin) return row.open();
  const std::size_t i = row.first_ending_after(span.begin);
  return i < row.size() && row[i].begin <= span.begin ? row[i].span : kNoIndex;
}

}  // namespace

std::vector<std::uint16_t> nesting_stacks(const Trace& trace) {
  std::vector<std::uint16_t> stacks;
  stacks.reserve(trace.spans().size());
  for (SpanId id = 0; id < trace.spans().size(); ++id) {
    const Span& span = trace.span(id);
    std::uint16_t stack = span.depth;
    if (span.depth != 0 && (span.flags & kInFlight) == 0) {
      const SpanId above = span_above(trace, span);
      if (above < id && span.end <= trace.span(above).end) stack = stacks[above];
    }
    stacks.push_back(stack);
  }
  return stacks;
}

}  // namespace p2plab::trace
