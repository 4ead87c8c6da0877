// Arrows inside a rank: from the call that enqueued work to that work on its stream, and from what a stream waited for to
// the instant in its wait when that was done.
#pragma once
#include <cstddef>
#include <vector>

#include "app/report/timeline_arrows.h"

namespace p2plab::report {

/// In the order of their beginnings; `send` is the earlier span, `receive` the later one. A wait that is not over has none.
/// Costs a pass over the trace.
std::vector<Arrow> stream_arrows(const trace::Trace& trace);
/// At most `cap` of those that touch [begin, end), spread evenly.
std::vector<Arrow> in_view(const std::vector<Arrow>& arrows, trace::Ns begin, trace::Ns end, std::size_t cap = 200);
/// Those that begin or end at one span.
std::vector<Arrow> at_span(const std::vector<Arrow>& arrows, trace::SpanId span);

}  // namespace p2plab::report
