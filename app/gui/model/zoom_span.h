// The span that a step of a walkthrough names.
#pragma once
#include <optional>

#include "app/gui/model/walkthrough.h"
#include "app/trace/trace.h"

namespace p2plab::gui {

/// The first span of this label on any lane of the rank; nothing while there is none.
std::optional<trace::SpanId> find_span(const trace::Trace& trace, const ZoomSpan& wanted);

}  // namespace p2plab::gui
