// When a span ends, as far as the trace knows.
#pragma once
#include <algorithm>

#include "app/trace/trace.h"

namespace p2plab::analysis {

/// An open span lasts until the trace's now.
inline trace::Ns end_of(const trace::Trace& trace, const trace::Span& span) {
  return span.open() ? std::max(span.begin, trace.now()) : span.end;
}

}  // namespace p2plab::analysis
