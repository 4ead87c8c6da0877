// The trace model: tracks, spans and names, appended by one thread.
#include "app/trace/trace.h"

#include <algorithm>
#include <functional>

namespace p2plab::trace {

Trace::Trace() {
  intern("");
  in_flight_ = intern("in flight");
}

NameId Trace::intern(std::string_view text) {
  const auto [it, fresh] = name_ids_.try_emplace(std::string(text), static_cast<NameId>(names_.size()));
  if (fresh) names_.emplace_back(text);
  return it->second;
}

TrackId Trace::track(int rank, NameId lane) {
  const auto [it, fresh] = track_ids_.try_emplace({rank, lane}, static_cast<TrackId>(tracks_.size()));
  if (fresh) {
    tracks_.push_back({rank, lane, {}, {}});
    open_.emplace_back();
    ++revision_;
  }
  return it->second;
}

TrackId Trace::find_track(int rank, std::string_view lane) const {
  const auto name = name_ids_.find(std::string(lane));
  if (name == name_ids_.end()) return kNoIndex;
  const auto it = track_ids_.find({rank, name->second});
  return it == track_ids_.end() ? kNoIndex : it->second;
}

TrackId Trace::event_track(int rank, std::uint64_t event) const {
  const auto it = events_.find({rank, event});
  return it == events_.end() ? kNoIndex : it->second.track;
}

namespace {
constexpr std::uint16_t kDeepest = std::numeric_limits<std::uint16_t>::max();
}

// Below all that is open, and where nothing lies later in time: a span that arrives late goes one row further down.
std::uint16_t Trace::nested_depth(const Track& track, const Open& open, Ns begin) const {
  std::size_t depth = open.nested.empty() ? 0 : std::size_t{spans_[open.nested.back()].depth} + 1;
  while (depth < track.rows.size() && !track.rows[depth].may_begin(begin)) ++depth;
  return static_cast<std::uint16_t>(std::min<std::size_t>(depth, kDeepest));
}

// Spans in flight overlap: each takes the lowest row that is free.
std::uint16_t Trace::free_row(const Track& track, Open& open, Ns begin) {
  std::vector<std::uint16_t>& heap = open.free_rows;
  for (auto lowest = heap.end(); lowest != heap.begin();) {
    std::pop_heap(heap.begin(), lowest, std::greater<>());
    --lowest;
    if (!track.rows[*lowest].may_begin(begin)) continue;  // free, but this span arrived late
    const std::uint16_t row = *lowest;
    const bool disturbed = std::next(lowest) != heap.end();
    heap.erase(lowest);
    if (disturbed) std::make_heap(heap.begin(), heap.end(), std::greater<>());
    return row;
  }
  std::make_heap(heap.begin(), heap.end(), std::greater<>());
  return static_cast<std::uint16_t>(std::min<std::size_t>(track.rows.size(), kDeepest));
}

SpanId Trace::begin(Span span) {
  const Track& track = tracks_[span.track];
  Open& open = open_[span.track];
  span.depth =
      (span.flags & kInFlight) != 0 ? free_row(track, open, span.begin) : nested_depth(track, open, span.begin);
  return restore(span);
}

SpanId Trace::restore(const Span& span) {
  const auto id = static_cast<SpanId>(spans_.size());
  Span& stored = spans_.push_back(span);
  stored.end = kOpen;
  Track& track = tracks_[span.track];
  track.spans.push_back(id);
  if (track.rows.size() <= span.depth) track.rows.resize(std::size_t{span.depth} + 1);
  track.rows[span.depth].begin(id);
  if ((span.flags & kInFlight) == 0) open_[span.track].nested.push_back(id);
  saw(span.begin);
  ++revision_;
  if (!span.open()) end(id, span.end);
  return id;
}

void Trace::end(SpanId id, Ns when) {
  Span& span = spans_[id];
  if (!span.open()) return;
  span.end = std::max(when, span.begin);
  Open& open = open_[span.track];
  if ((span.flags & kInFlight) != 0) {
    open.free_rows.push_back(span.depth);
    std::push_heap(open.free_rows.begin(), open.free_rows.end(), std::greater<>());
  } else {
    const auto it = std::find(open.nested.rbegin(), open.nested.rend(), id);
    if (it != open.nested.rend()) open.nested.erase(std::next(it).base());
  }
  tracks_[span.track].rows[span.depth].end(id, span.begin, span.end);
  saw(span.end);
  ++revision_;
}

std::uint64_t Trace::found_full() const {
  std::uint64_t sum = 0;
  for (const ThreadSample& thread : threads_) sum += thread.found_full;
  return sum;
}

std::uint64_t Trace::dropped() const {
  std::uint64_t sum = 0;
  for (const ThreadSample& thread : threads_) sum += thread.dropped;
  for (const auto& [rank, records] : unrecorded_) sum += records;
  return sum;
}

int Trace::ranks() const {
  int ranks = run.ranks;
  for (const Track& track : tracks_) ranks = std::max(ranks, track.rank + 1);
  return ranks;
}

}  // namespace p2plab::trace
