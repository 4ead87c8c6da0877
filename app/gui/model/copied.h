// What a click or Y puts on the clipboard: a number as text, with the conditions it was measured under.
#pragma once
#include <string>

#include "app/gui/model/difference.h"
#include "app/gui/model/numbers.h"
#include "app/report/chart.h"
#include "app/report/range_statistics.h"
#include "app/report/result_charts.h"

namespace p2plab::gui {

/// One cause of the bubble.
std::string as_text(const Share& share, const std::string& conditions);
/// Every number of the card beside a stretch of the timeline. Instants are those of the axis: 0 is `origin`.
std::string as_text(const report::RangeStatistics& statistics, report::Range range, trace::Ns origin, const std::string& conditions, const content::Text& text);
/// The first bytes that differ.
std::string as_text(const Difference& difference, const std::string& conditions, const content::Text& text);
/// The two hashes of a payload that changed under way.
std::string as_text(const ChangedPayload& changed, const trace::Trace& trace, const std::string& conditions, const content::Text& text);
/// The same without conditions: a row of the window.
std::string hash_row(const ChangedPayload& changed, const trace::Trace& trace, const content::Text& text);
/// What stands at a mark of a chart.
std::string as_text(const report::Chart& chart, const report::ChartSpot& spot, const std::string& conditions);
std::string as_text(const report::ResultTable& table, const std::string& conditions);

}  // namespace p2plab::gui
