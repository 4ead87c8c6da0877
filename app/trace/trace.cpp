// The trace model: tracks, spans and names, appended by one thread.
#include "app/trace/trace.h"

#include <algorithm>

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
    tracks_.push_back({rank, lane, {}});
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
  const auto it = event_tracks_.find({rank, event});
  return it == event_tracks_.end() ? kNoIndex : it->second;
}

SpanId Trace::begin(Span span) {
  const auto id = static_cast<SpanId>(spans_.size());
  std::vector<SpanId>& open = open_[span.track];
  if ((span.flags & kInFlight) != 0) {
    // Spans in flight overlap: each takes the lowest sub-row that is free.
    auto row = std::find(open.begin(), open.end(), kNoIndex);
    if (row == open.end()) row = open.insert(row, kNoIndex);
    span.depth = static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(row - open.begin(), 255));
    *row = id;
  } else {
    span.depth = static_cast<std::uint8_t>(std::min<std::size_t>(open.size(), 255));
    open.push_back(id);
  }
  spans_.push_back(span);
  tracks_[span.track].spans.push_back(id);
  saw(span.begin);
  ++revision_;
  if (span.end != kOpen) end(id, span.end);
  return id;
}

void Trace::end(SpanId id, Ns when) {
  Span& span = spans_[id];
  span.end = std::max(when, span.begin);
  std::vector<SpanId>& open = open_[span.track];
  const auto it = std::find(open.rbegin(), open.rend(), id);
  if (it != open.rend()) {
    if ((span.flags & kInFlight) != 0) {
      *it = kNoIndex;
    } else {
      open.erase(std::next(it).base());
    }
  }
  saw(span.end);
  ++revision_;
}

std::uint64_t Trace::dropped() const {
  std::uint64_t sum = 0;
  for (const ThreadSample& thread : threads_) sum += thread.dropped;
  return sum;
}

int Trace::ranks() const {
  int ranks = run.ranks;
  for (const Track& track : tracks_) ranks = std::max(ranks, track.rank + 1);
  return ranks;
}

}  // namespace p2plab::trace
