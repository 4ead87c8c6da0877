#include "app/report/stream_arrows.h"

#include <algorithm>
#include <map>
#include <utility>

namespace p2plab::report {
namespace {

using trace::Ns;
using trace::Span;
using trace::SpanId;

class Finder {
 public:
  explicit Finder(const trace::Trace& trace) : trace_(trace) {
    for (const trace::WaitTarget& target : trace.wait_targets())
      if (const trace::EventMark* mark = mark_of(target); mark != nullptr) sources_[mark->track];
    for (std::size_t i = 0; i < trace.spans().size(); ++i) {
      const auto id = static_cast<SpanId>(i);
      const Span& span = trace.span(id);
      if ((span.flags & trace::kInFlight) != 0) continue;
      if (span.kind == trace::Kind::other && span.request >= 0) launches_.emplace(std::pair(rank_of(span), span.request), id);
      if (span.open() || span.end == span.begin) continue;
      if (const auto source = sources_.find(span.track); source != sources_.end()) source->second.emplace_back(span.end, id);
    }
    for (auto& [track, ends] : sources_) std::sort(ends.begin(), ends.end());
  }

  std::vector<Arrow> all() {
    if (!launches_.empty()) {
      for (std::size_t i = 0; i < trace_.spans().size(); ++i) {
        const auto id = static_cast<SpanId>(i);
        const Span& span = trace_.span(id);
        if ((span.flags & trace::kInFlight) == 0 && span.request >= 0) launched(id, span.request);
      }
    }
    for (const trace::WaitTarget& target : trace_.wait_targets()) {
      if (target.wait == trace::kNoIndex) continue;
      if (target.request >= 0) launched(target.wait, target.request);  // of a group
      else waited(target);
    }
    std::sort(out_.begin(), out_.end(), [](const Arrow& a, const Arrow& b) { return std::pair(a.begin, a.receive) < std::pair(b.begin, b.receive); });
    out_.erase(std::unique(out_.begin(), out_.end(), [](const Arrow& a, const Arrow& b) { return a.send == b.send && a.receive == b.receive; }), out_.end());
    return std::move(out_);
  }

 private:
  int rank_of(const Span& span) const { return trace_.tracks()[span.track].rank; }
  const trace::EventMark* mark_of(const trace::WaitTarget& target) const {
    if (target.event == 0 || target.wait == trace::kNoIndex) return nullptr;
    const auto it = trace_.events().find({rank_of(trace_.span(target.wait)), target.event});
    return it == trace_.events().end() || it->second.track == trace::kNoIndex ? nullptr : &it->second;
  }
  void launched(SpanId id, std::int32_t request) {
    const Span& span = trace_.span(id);
    const auto it = launches_.find({rank_of(span), request});
    if (it == launches_.end() || it->second == id) return;
    const Span& launch = trace_.span(it->second);
    if (launch.track != span.track) out_.push_back({.send = it->second, .receive = id, .begin = launch.begin, .end = span.begin, .inside = true});
  }
  void waited(const trace::WaitTarget& target) {
    const trace::EventMark* mark = mark_of(target);
    const Span& wait = trace_.span(target.wait);
    if (mark == nullptr || mark->reached == trace::kOpen || wait.open() || mark->track == wait.track) return;
    if (mark->reached <= wait.begin) return;  // it was there before anybody waited
    // What the lane of the event did last before it came there.
    const auto& ends = sources_[mark->track];
    auto it = std::upper_bound(ends.begin(), ends.end(), std::pair(mark->reached, trace::kNoIndex));
    if (it == ends.begin()) return;
    --it;
    out_.push_back({.send = it->second, .receive = target.wait, .begin = it->first, .end = std::min(mark->reached, wait.end), .inside = true});
  }

  const trace::Trace& trace_;
  std::map<std::pair<int, std::int32_t>, SpanId> launches_;             ///< by rank and request
  std::map<trace::TrackId, std::vector<std::pair<Ns, SpanId>>> sources_;  ///< ends of spans, where events lie
  std::vector<Arrow> out_;
};

}  // namespace

std::vector<Arrow> stream_arrows(const trace::Trace& trace) { return Finder(trace).all(); }

std::vector<Arrow> in_view(const std::vector<Arrow>& arrows, Ns begin, Ns end, std::size_t cap) {
  const auto touches = [&](const Arrow& arrow) { return std::min(arrow.begin, arrow.end) < end && std::max(arrow.begin, arrow.end) >= begin; };
  const auto all = static_cast<std::size_t>(std::count_if(arrows.begin(), arrows.end(), touches));
  const std::size_t wanted = std::min(all, cap);
  std::vector<Arrow> out;
  out.reserve(wanted);
  std::size_t seen = 0;
  for (const Arrow& arrow : arrows) {
    if (out.size() == wanted) break;
    if (touches(arrow) && seen++ == out.size() * all / wanted) out.push_back(arrow);
  }
  return out;
}

std::vector<Arrow> at_span(const std::vector<Arrow>& arrows, SpanId span) {
  std::vector<Arrow> out;
  for (const Arrow& arrow : arrows)
    if (arrow.send == span || arrow.receive == span) out.push_back(arrow);
  return out;
}

}  // namespace p2plab::report
