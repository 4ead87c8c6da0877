// Names of the trace in the reader's language. A trace keeps them in English; those that the lab and its demos give
// ("measured step", "in flight") have a twin in assets/text/spans.toml, names of calls and of streams are code and stay.
#pragma once
#include <string>
#include <string_view>

#include "app/content/text.h"
#include "app/trace/trace.h"

namespace p2plab::report {

/// "the receiver is busy" as 接收方正忙; a name without a twin as it is. One number in a name is kept: "produce 1".
std::string shown_name(std::string_view name, const content::Text& text);
/// True if there is a twin.
bool has_words(std::string_view name, const content::Text& text);
/// The name of a lane: "host", "in flight", or a stream's own.
std::string shown_lane(const std::string& lane, const content::Text& text);
/// What stands on a block, for people: report::label with shown_name, and the kind's word for a span without a name.
std::string shown_label(const trace::Trace& trace, const trace::Span& span, const content::Text& text);

/// What stands between a name and what is said of it: ": ", in Chinese "：".
std::string colon(const content::Text& text);

}  // namespace p2plab::report
