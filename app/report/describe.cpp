#include "app/report/describe.h"

#include <fmt/core.h>

#include "app/report/quantity.h"
#include "app/report/timeline_layout.h"
#include "app/report/words.h"

namespace p2plab::report {

std::vector<std::pair<std::string, std::string>> describe(const trace::Trace& trace, trace::SpanId id, const content::Text& text) {
  const trace::Span& span = trace.span(id);
  const trace::Track& track = trace.tracks()[span.track];
  std::vector<std::pair<std::string, std::string>> out;
  const auto add = [&](const char* what, std::string value) {
    if (!value.empty()) out.emplace_back(text(what), std::move(value));
  };
  const auto number = [&](const char* what, std::int64_t value) {
    if (value != trace::kNone) add(what, std::to_string(value));
  };
  add("span.where", fmt::format("{} · {}", text("report.rank", {{"n", std::to_string(track.rank)}}), shown_lane(trace.name(track.lane), text)));
  const trace::Ns origin = first_begin(trace);  // as on the axis
  add("span.begin", duration(span.begin - origin));
  add("span.duration", span.open() ? text("span.still-open", {{"time", duration(std::max<trace::Ns>(0, trace.now() - span.begin))}})
                                   : duration(span.end - span.begin));
  if (trace::is_communication(span.kind) || span.bytes > 0) add("span.bytes", bytes(span.bytes));
  number("span.peer", span.peer);
  number("span.tag", span.tag);
  add("span.comm", trace.name(span.comm));
  number("span.request", span.request);
  number("span.sequence", span.sequence);
  number("span.microbatch", span.microbatch);
  number("span.chunk", span.chunk);
  number("span.stage", span.stage);

  std::string flags;
  const auto flag = [&](std::uint8_t bit, const char* what) {
    if ((span.flags & bit) != 0) flags += (flags.empty() ? "" : ", ") + text(what);
  };
  flag(trace::kBlocking, "span.flag-blocking");
  flag(trace::kAny, "span.flag-any");
  flag(trace::kStrict, "span.flag-strict");
  flag(trace::kPaced, "span.flag-paced");
  flag(trace::kGroup, "span.flag-group");
  add("span.flags", flags);

  for (const trace::Message& message : trace.messages()) {
    if (message.send != id && message.receive != id) continue;
    if (message.send_return != trace::kOpen) add("span.send-return", duration(message.send_return - origin));
    if (message.match != trace::kOpen) add("span.match", duration(message.match - origin));
    if (message.completion != trace::kOpen) add("span.completion", duration(message.completion - origin));
    break;
  }
  add("span.site", trace.name(span.site));
  return out;
}

std::string tooltip(const trace::Trace& trace, trace::SpanId id, const content::Text& text) {
  const trace::Span& span = trace.span(id);
  const std::string kind = text(std::string("span.") + kind_word(span.kind));
  std::string out = shown_label(trace, span, text);
  if (out != kind) out += " · " + kind;
  for (const auto& [name, value] : describe(trace, id, text)) out += "\n" + name + "  " + value;
  return out;
}

}  // namespace p2plab::report
