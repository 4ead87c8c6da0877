// What can be said of one span, in words: for tooltips and the selection panel.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "app/content/text.h"
#include "app/trace/trace.h"

namespace p2plab::report {

/// (name, value) pairs in reading order, with every argument that was recorded.
std::vector<std::pair<std::string, std::string>> describe(const trace::Trace& trace, trace::SpanId span, const content::Text& text);
/// The span's label and kind, then the pairs, one a line.
std::string tooltip(const trace::Trace& trace, trace::SpanId span, const content::Text& text);

}  // namespace p2plab::report
