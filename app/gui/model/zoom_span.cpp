// See zoom_span.h.
#include "app/gui/model/zoom_span.h"

#include "app/report/timeline_layout.h"

namespace p2plab::gui {

std::optional<trace::SpanId> find_span(const trace::Trace& trace, const ZoomSpan& wanted) {
  std::optional<trace::SpanId> best;
  for (const auto& track : trace.tracks()) {
    if (track.rank != wanted.rank) continue;
    for (const auto id : track.spans) {
      const auto& span = trace.span(id);
      if ((!best || span.begin < trace.span(*best).begin) && (report::label(trace, span) == wanted.span || trace.name(span.name) == wanted.span)) best = id;
    }
  }
  return best;
}

}  // namespace p2plab::gui
