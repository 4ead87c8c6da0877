// See in_order.h.
#include "app/trace/in_order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace p2plab::trace {
namespace {

class Ordering {
 public:
  explicit Ordering(const Trace& from) : from_(from) { to_.run = from.run; }

  Trace ordered() {
    tracks();
    spans();
    belongings();
    facts();
    to_.saw(from_.now());
    return std::move(to_);
  }

 private:
  NameId name(NameId id) { return to_.intern(from_.name(id)); }
  TrackId track(TrackId id) const { return id == kNoIndex ? id : track_of_[id]; }
  SpanId span(SpanId id) const { return id == kNoIndex ? id : span_of_[id]; }

  /// The indices of `count` things, by `key`; what has equal keys keeps its order.
  template <class Key>
  static std::vector<std::uint32_t> sorted(std::size_t count, const Key& key) {
    std::vector<std::uint32_t> out(count);
    std::iota(out.begin(), out.end(), 0u);
    std::stable_sort(out.begin(), out.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    return out;
  }
  template <class T, class Key>
  static std::vector<T> sorted(const std::vector<T>& all, const Key& key) {
    std::vector<T> out;
    out.reserve(all.size());
    for (const std::uint32_t i : sorted(all.size(), [&](std::uint32_t at) { return key(all[at]); })) out.push_back(all[i]);
    return out;
  }

  void tracks() {
    const auto& all = from_.tracks();
    track_of_.resize(all.size());
    for (const TrackId id : sorted(all.size(), [&](TrackId at) { return std::tuple(all[at].rank, std::string_view(from_.name(all[at].lane))); }))
      track_of_[id] = to_.track(all[id].rank, name(all[id].lane));
  }

  /// What lies around comes before what lies inside; the rest decides only between spans of one instant.
  auto key(SpanId id) const {
    const Span& s = from_.span(id);
    return std::tuple(s.begin, track_of_[s.track], -s.end, s.depth, s.kind, std::string_view(from_.name(s.name)), s.peer, s.tag, s.sequence, s.request,
                      s.microbatch, s.chunk, s.bytes, std::string_view(from_.name(s.site)));
  }
  void spans() {
    span_of_.resize(from_.spans().size());
    for (const SpanId id : sorted(span_of_.size(), [&](SpanId at) { return key(at); })) {
      Span span = from_.span(id);
      span.track = track_of_[span.track];
      for (NameId Span::*each : {&Span::name, &Span::site, &Span::comm, &Span::detail}) span.*each = name(span.*each);
      span_of_[id] = to_.begin(span);
    }
  }

  void belongings() {
    for (const auto& [id, hashes] : from_.all_hashes()) to_.hashes(span(id)) = hashes;
    for (WaitTarget each : sorted(from_.wait_targets(), [&](const WaitTarget& t) { return std::tuple(span(t.wait), t.request, track(t.track), t.event, t.peer, t.tag); })) {
      each.wait = span(each.wait);
      each.track = track(each.track);
      each.comm = name(each.comm);
      to_.add(each);
    }
    for (Received each : sorted(from_.received(), [&](const Received& r) { return span(r.receive); })) {
      each.receive = span(each.receive);
      to_.add(each);
    }
    for (const SpanId each : sorted(from_.withdrawn(), [&](SpanId id) { return span(id); })) to_.withdraw(span(each));
    for (Message each : sorted(from_.messages(), [&](const Message& m) { return std::tuple(span(m.send), span(m.receive)); })) {
      each.send = span(each.send);
      each.receive = span(each.receive);
      to_.messages().push_back(each);
    }
  }

  void facts() {
    for (Metric each : sorted(from_.metrics(), [&](const Metric& m) { return std::tuple(m.rank, std::string_view(from_.name(m.name))); })) {
      each.name = name(each.name);
      to_.add(each);
    }
    for (Note each : sorted(from_.notes(), [&](const Note& n) { return std::tuple(n.rank, std::string_view(from_.name(n.name))); })) {
      each.name = name(each.name);
      each.text = name(each.text);
      to_.add(each);
    }
    for (Reported each : sorted(from_.reported(), [](const Reported& r) { return std::tuple(r.rank, r.when); })) {
      for (NameId Reported::*one : {&Reported::kind, &Reported::call, &Reported::site, &Reported::comm, &Reported::detail, &Reported::other}) each.*one = name(each.*one);
      to_.add(each);
    }
    for (ThreadSample each : sorted(from_.threads(), [&](const ThreadSample& t) { return std::tuple(t.rank, std::string_view(from_.name(t.lane))); })) {
      each.lane = name(each.lane);
      each.owner = name(each.owner);
      each.wait_span = span(each.wait_span);
      if (each.state != ThreadState::blocked && each.state != ThreadState::polling && each.state != ThreadState::parked) {  // of an earlier wait, as the last look happened to find it
        each.wait_span = kNoIndex;
        each.polls = 0;
        each.since = 0;
      }
      to_.threads().push_back(each);
    }
    for (const NameId comm : sorted(from_.names(), [&](NameId id) { return std::string_view(from_.name(id)); }))
      if (const auto* members = from_.members(comm)) to_.members(name(comm), *members);
    for (const auto& [event, mark] : from_.events()) {
      if (mark.track != kNoIndex) to_.event_recorded(event.first, event.second, track(mark.track), mark.enqueued);
      if (mark.reached != kOpen) to_.event_reached(event.first, event.second, mark.reached);
    }
    for (const auto& [rank, records] : from_.unrecorded()) to_.unrecorded(rank, records);
  }

  const Trace& from_;
  Trace to_;
  std::vector<TrackId> track_of_;
  std::vector<SpanId> span_of_;
};

}  // namespace

Trace in_order(const Trace& trace) { return Ordering(trace).ordered(); }

}  // namespace p2plab::trace
