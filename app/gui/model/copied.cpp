// See copied.h.
#include "app/gui/model/copied.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/report/quantity.h"
#include "app/report/timeline_layout.h"

namespace p2plab::gui {
namespace {

std::string under(const std::string& conditions) { return "  [" + conditions + "]"; }

std::string in_hex(const std::vector<std::uint8_t>& bytes) {
  std::string out;
  for (const auto each : bytes) out += fmt::format(" {:02x}", each);
  return out;
}

std::string in_one_line(std::string words) {
  std::replace(words.begin(), words.end(), '\n', ' ');
  return words;
}

}  // namespace

std::string as_text(const Share& share, const std::string& conditions) {
  return fmt::format("idle_by_cause.{} = {}  ({:.1f} %){}", share.id, share.figure, share.value * 100, under(conditions));
}

std::string as_text(const report::RangeStatistics& statistics, report::Range range, trace::Ns origin, const std::string& conditions, const content::Text& text) {
  std::string out = text("timeline.selection", {{"time", report::duration(range.width())}}) +
                    fmt::format("  ({} – {})", report::duration(range.begin - origin), report::duration(range.end - origin)) + under(conditions) + "\n";
  const auto ratio = statistics.overlap.ratio();
  out += "  " + (ratio ? text("timeline.overlap", {{"percent", fmt::format("{:.1f}", *ratio * 100)}, {"exposed", report::duration(statistics.overlap.exposed_ns())}})
                       : text("timeline.overlap-none")) + "\n";
  report::ResultTable table;
  table.head = {text("timeline.kind")};
  for (const char* each : {"timeline.count", "timeline.sum", "timeline.min", "timeline.mean", "timeline.max"}) table.head.push_back(text(each));
  for (const auto& kind : statistics.kinds)
    table.rows.push_back({text(std::string("span.") + report::kind_word(kind.kind)), std::to_string(kind.count), report::duration(kind.sum), report::duration(kind.min),
                          report::duration(kind.mean()), report::duration(kind.max)});
  return table.rows.empty() ? out : out + report::table_text(table);
}

std::string as_text(const Difference& difference, const std::string& conditions, const content::Text& text) {
  return text("gui.bytes_differ", {{"rank", std::to_string(difference.rank)}, {"offset", std::to_string(difference.offset)}}) + under(conditions) + "\n  " + text("gui.sent") +
         in_hex(difference.sent) + "\n  " + text("gui.received") + in_hex(difference.received);
}

std::string hash_row(const ChangedPayload& changed, const trace::Trace& trace, const content::Text& text) {
  const auto& span = trace.span(changed.span);
  return fmt::format("{}  {}  {:016x} → {:016x}", text("report.rank", {{"n", std::to_string(trace.tracks()[span.track].rank)}}), trace.name(span.name), changed.post, changed.done);
}

std::string as_text(const ChangedPayload& changed, const trace::Trace& trace, const std::string& conditions, const content::Text& text) {
  return hash_row(changed, trace, text) + under(conditions);
}

std::string as_text(const report::Chart& chart, const report::ChartSpot& spot, const std::string& conditions) {
  return (chart.title.empty() ? std::string() : chart.title + ": ") + in_one_line(spot.words) + under(conditions);
}

std::string as_text(const report::ResultTable& table, const std::string& conditions) { return table.title + under(conditions) + "\n" + report::table_text(table); }

}  // namespace p2plab::gui
