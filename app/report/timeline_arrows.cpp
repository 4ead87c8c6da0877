#include "app/report/timeline_arrows.h"

#include <algorithm>
#include <cmath>

namespace p2plab::report {
namespace {

using trace::Ns;

Arrow arrow(const trace::Trace& trace, const trace::Message& message) {
  const trace::Span& send = trace.span(message.send);
  const trace::Span& receive = trace.span(message.receive);
  Arrow a{message.send, message.receive, send.begin, message.completion, false, false, false};
  if (a.end == trace::kOpen) a.end = receive.end;
  a.pending = a.end == trace::kOpen;
  if (a.pending) a.end = std::max(trace.now(), a.begin);
  a.uncertain = a.end - a.begin < std::max<Ns>(trace.run.clock_error_ns, 1);
  return a;
}

bool tied(const trace::Message& message) {
  return message.send != trace::kNoIndex && message.receive != trace::kNoIndex;
}

}  // namespace

void MessageIndex::update(const trace::Trace& trace) {
  const auto& messages = trace.messages();
  groups_.resize((messages.size() + kGroup - 1) / kGroup);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    if (group.complete) continue;
    group = {};
    const std::size_t stop = std::min(messages.size(), (g + 1) * kGroup);
    group.complete = stop == (g + 1) * kGroup;
    for (std::size_t i = g * kGroup; i < stop; ++i) {
      if (!tied(messages[i])) continue;
      const Arrow a = arrow(trace, messages[i]);
      group.begin = std::min({group.begin, a.begin, a.end});
      group.end = a.pending ? trace::kOpen : std::max({group.end, a.begin, a.end});
      if (a.pending) group.complete = false;
    }
  }
}

Arrows MessageIndex::arrows(const trace::Trace& trace, Ns begin, Ns end, std::size_t cap) const {
  const auto& messages = trace.messages();
  std::vector<std::size_t> touching;  // groups
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (groups_[g].begin < end && groups_[g].end >= begin) touching.push_back(g);

  Arrows out;
  // Beyond some thousands nobody sees single lines: take every n-th, so that the cost stays that of the cap.
  const std::size_t stride = std::max<std::size_t>(1, touching.size() * kGroup / std::max<std::size_t>(1, 4 * cap));
  double in_view = 0;  // exact while nothing is skipped
  for (const std::size_t g : touching) {
    const std::size_t first = g * kGroup, stop = std::min(messages.size(), first + kGroup);
    std::size_t looked_at = 0, found = 0;
    for (std::size_t i = first; i < stop; i += stride) {
      ++looked_at;
      if (!tied(messages[i])) continue;
      const Arrow a = arrow(trace, messages[i]);
      if (std::min(a.begin, a.end) >= end || std::max(a.begin, a.end) < begin) continue;
      ++found;
      out.shown.push_back(a);
    }
    in_view += static_cast<double>(found * (stop - first)) / static_cast<double>(looked_at);
  }
  if (out.shown.size() > cap) {
    for (std::size_t i = 0; i < cap; ++i) out.shown[i] = out.shown[i * out.shown.size() / cap];
    out.shown.resize(cap);
  }
  out.left_out = static_cast<std::size_t>(std::llround(in_view)) - out.shown.size();
  return out;
}

std::vector<Arrow> MessageIndex::of(const trace::Trace& trace, trace::SpanId id) const {
  std::vector<Arrow> out;
  if (id >= trace.spans().size()) return out;
  const trace::Span& chosen = trace.span(id);
  const int rank = trace.tracks()[chosen.track].rank;
  const auto belongs = [&](trace::SpanId end) {
    if (end == id) return true;
    const trace::Span& span = trace.span(end);
    return chosen.request >= 0 && span.request == chosen.request && trace.tracks()[span.track].rank == rank;
  };
  for (const trace::Message& message : trace.messages())
    if (tied(message) && (belongs(message.send) || belongs(message.receive))) out.push_back(arrow(trace, message));
  return out;
}

Arrows arrows(const trace::Trace& trace, Ns begin, Ns end, std::size_t cap) {
  MessageIndex index;
  index.update(trace);
  return index.arrows(trace, begin, end, cap);
}

std::optional<Segment> clip(Segment line, double left, double top, double right, double bottom) {
  // Liang and Barsky: narrows the line's parameter range edge by edge.
  double from = 0, to = 1;
  const double dx = line.x1 - line.x0, dy = line.y1 - line.y0;
  const auto edge = [&](double direction, double distance) {
    if (direction == 0) return distance >= 0;
    const double at = distance / direction;
    if (direction < 0) from = std::max(from, at);
    else to = std::min(to, at);
    return from <= to;
  };
  if (!edge(-dx, line.x0 - left) || !edge(dx, right - line.x0) || !edge(-dy, line.y0 - top) || !edge(dy, bottom - line.y0))
    return std::nullopt;
  return Segment{line.x0 + from * dx, line.y0 + from * dy, line.x0 + to * dx, line.y0 + to * dy};
}

}  // namespace p2plab::report
