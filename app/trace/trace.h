// The trace: what every producer writes and every reader reads. Append-only, owned by one thread.
#pragma once
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/trace/chunked_vector.h"
#include "app/trace/lod.h"
#include "app/trace/record.h"

namespace p2plab::trace {

using NameId = std::uint32_t;                         ///< index into Trace::names(); 0 is the empty string
using TrackId = std::uint32_t;                        ///< index into Trace::tracks()
using SpanId = std::uint32_t;                         ///< index into Trace::spans(), in order of arrival
constexpr Ns kOpen = std::numeric_limits<Ns>::max();  ///< end of a span that has not ended
constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

/// (rank, lane): `host`, a stream by name, or `in flight`.
struct Track {
  int rank = 0;
  NameId lane = 0;
  std::vector<SpanId> spans;  ///< by begin, except that spans in flight of several threads may be slightly out of order
  std::vector<Row> rows;  ///< by Span::depth: the same spans, indexed for drawing and for sums over a stretch of time
};

struct Span {
  Ns begin = 0;
  Ns end = kOpen;
  TrackId track = 0;
  NameId name = 0;
  NameId site = 0;  ///< "file:line", empty if unknown
  NameId comm = 0;
  NameId detail = 0;  ///< of communication: the type signature, or what a collective was given
  Kind kind = Kind::other;
  std::uint8_t flags = 0;
  std::uint16_t depth = 0;  ///< nesting on its track; on `in flight` the sub-row
  std::int16_t chunk = kNone;
  std::int16_t stage = kNone;
  std::int32_t peer = kNone;
  std::int32_t tag = kNone;
  std::int32_t request = kNone;
  std::int32_t sequence = kNone;
  std::int32_t microbatch = kNone;
  std::uint64_t bytes = 0;
  bool open() const { return end == kOpen; }
};

/// What a span in Kind::wait stands still for.
struct WaitTarget {
  SpanId wait = 0;
  std::int32_t request = kNone;  ///< a request of the same rank, or
  TrackId track = kNoIndex;      ///< a lane of the same rank,
  std::uint64_t event = 0;       ///< which is to come to this event; 0 if it is to finish all it was given
  NameId comm = 0;               ///< not 0: a message on this communicator that fits
  std::int32_t peer = kNone;     ///< this source (kNone: any)
  std::int32_t tag = kNone;      ///< and this tag
};

/// What a receive got: the message's own source, tag and size.
struct Received {
  SpanId receive = kNoIndex;
  std::int32_t peer = kNone;
  std::int32_t tag = kNone;
  std::uint64_t bytes = 0;
};

/// A defect that a rank saw itself.
struct Reported {
  int rank = 0;
  Ns when = 0;
  NameId kind = 0, call = 0, site = 0, comm = 0;
  NameId detail = 0, other = 0;
  std::int32_t peer = kNone, tag = kNone, request = kNone;
  std::uint64_t bytes = 0;
  bool certain = true;
  bool ends = false;  ///< the rank makes no further call
};

/// A p2p::Event: the lane it lies on, when it was enqueued there and when the lane came to it (kOpen while unknown).
struct EventMark {
  TrackId track = kNoIndex;
  Ns enqueued = kOpen;
  Ns reached = kOpen;
};

/// A send tied to its receive. All instants are on the trace's clock; kOpen while unknown.
struct Message {
  SpanId send = kNoIndex;     ///< the span in flight of the send
  SpanId receive = kNoIndex;  ///< the span in flight of the receive
  Ns send_return = kOpen;     ///< the sending call gave control back
  Ns match = kOpen;           ///< both sides were posted
  Ns completion = kOpen;      ///< the receive completed
};

struct Hashes {
  std::uint64_t post = 0, done = 0;
  bool has_post = false, has_done = false;
};
struct Metric {
  int rank = 0;
  NameId name = 0;
  double value = 0;
};
struct Note {
  int rank = 0;
  NameId name = 0;
  NameId text = 0;
  std::int32_t number = kNone;  ///< of what the rank counts: a request, a wildcard
};

/// One recording thread as last seen: for the wait-for graph.
struct ThreadSample {
  int rank = 0;
  NameId lane = 0;
  NameId owner = 0;
  ThreadState state = ThreadState::running;
  SpanId wait_span = kNoIndex;
  std::uint64_t polls = 0;
  Ns since = 0;
  Ns newest_record = 0;
  std::uint64_t dropped = 0;
  std::uint64_t found_full = 0;  ///< times that the reader found its ring full: the thread may have waited
};

/// The run that made the trace.
struct RunInfo {
  std::string command, demo, backend, semantics, link, compute, version, machine, mpi;
  std::map<std::string, std::string> knobs;
  int ranks = 0;
  std::uint64_t seed = 0;
  bool strict = false;
  Ns clock_error_ns = 0;
};

class Trace {
 public:
  Trace();
  NameId intern(std::string_view text);
  const std::string& name(NameId id) const { return names_[id]; }
  std::size_t names() const { return names_.size(); }
  /// The track of (rank, lane), made when new. Tracks keep their index.
  TrackId track(int rank, NameId lane);
  /// kNoIndex if there is none.
  TrackId find_track(int rank, std::string_view lane) const;

  /// Appends; the depth is chosen so that no two spans of a row overlap. Returns its id.
  SpanId begin(Span span);
  /// Appends a span of a saved trace with the depth it had.
  SpanId restore(const Span& span);
  /// Ends an open span; one that has ended stays as it is.
  void end(SpanId id, Ns when);
  void add(const WaitTarget& target) { wait_targets_.push_back(target); }
  void add(const Metric& metric) { metrics_.push_back(metric); }
  void add(const Note& note) { notes_.push_back(note); }
  void add(const Received& received) { received_.push_back(received); }
  void add(const Reported& reported) { reported_.push_back(reported); }
  void withdraw(SpanId operation) { withdrawn_.push_back(operation); }
  /// World ranks of a communicator; the first that is said counts.
  void members(NameId comm, const std::vector<int>& ranks) { members_.try_emplace(comm, ranks); }
  Hashes& hashes(SpanId id) { return hashes_[id]; }
  /// The event was enqueued on the lane `track`: waiting for the event is waiting for the lane.
  void event_recorded(int rank, std::uint64_t event, TrackId track, Ns when) {
    EventMark& mark = events_[{rank, event}];
    mark.track = track;
    mark.enqueued = when;
  }
  void event_reached(int rank, std::uint64_t event, Ns when) { events_[{rank, event}].reached = when; }
  /// All events by rank and number.
  const std::map<std::pair<int, std::uint64_t>, EventMark>& events() const { return events_; }
  /// kNoIndex if the event was never recorded.
  TrackId event_track(int rank, std::uint64_t event) const;

  const ChunkedVector<Span>& spans() const { return spans_; }
  const Span& span(SpanId id) const { return spans_[id]; }
  int rank_of(SpanId id) const { return tracks_[spans_[id].track].rank; }
  const std::vector<Track>& tracks() const { return tracks_; }
  const std::vector<WaitTarget>& wait_targets() const { return wait_targets_; }
  const std::vector<Metric>& metrics() const { return metrics_; }
  const std::vector<Note>& notes() const { return notes_; }
  const std::vector<Received>& received() const { return received_; }
  const std::vector<Reported>& reported() const { return reported_; }
  const std::vector<SpanId>& withdrawn() const { return withdrawn_; }
  /// Null when nothing was said: then all ranks are members.
  const std::vector<int>* members(NameId comm) const {
    const auto it = members_.find(comm);
    return it == members_.end() ? nullptr : &it->second;
  }
  const std::unordered_map<SpanId, Hashes>& all_hashes() const { return hashes_; }
  const std::vector<Message>& messages() const { return messages_; }
  std::vector<Message>& messages() { return messages_; }
  std::vector<ThreadSample>& threads() { return threads_; }
  const std::vector<ThreadSample>& threads() const { return threads_; }
  /// Newest instant seen, of any record.
  Ns now() const { return now_; }
  void saw(Ns when) {
    if (when > now_) now_ = when;
  }
  /// Records lost because a ring was full or a thread found no ring, over all threads.
  std::uint64_t dropped() const;
  /// Times that a ring was found full, over all threads.
  std::uint64_t found_full() const;
  /// Sets how many records of `rank` came from threads that found no ring.
  void unrecorded(int rank, std::uint64_t records) {
    if (records != 0) unrecorded_[rank] = records;
  }
  const std::map<int, std::uint64_t>& unrecorded() const { return unrecorded_; }
  /// Grows with every change; redraw when it has changed.
  std::uint64_t revision() const { return revision_; }
  /// Name of the lane for operations from post to completion.
  NameId in_flight_lane() const { return in_flight_; }
  int ranks() const;

  RunInfo run;

 private:
  /// What of a track has not ended.
  struct Open {
    std::vector<SpanId> nested;            ///< by depth
    std::vector<std::uint16_t> free_rows;  ///< of spans in flight: a heap, the lowest first
  };
  std::uint16_t nested_depth(const Track& track, const Open& open, Ns begin) const;
  static std::uint16_t free_row(const Track& track, Open& open, Ns begin);

  std::vector<std::string> names_;
  std::unordered_map<std::string, NameId> name_ids_;
  std::vector<Track> tracks_;
  std::map<std::pair<int, NameId>, TrackId> track_ids_;
  std::vector<Open> open_;  ///< per track
  ChunkedVector<Span> spans_;
  std::vector<WaitTarget> wait_targets_;
  std::vector<Metric> metrics_;
  std::vector<Note> notes_;
  std::vector<Received> received_;
  std::vector<Reported> reported_;
  std::vector<SpanId> withdrawn_;
  std::map<NameId, std::vector<int>> members_;
  std::unordered_map<SpanId, Hashes> hashes_;
  std::map<std::pair<int, std::uint64_t>, EventMark> events_;
  std::vector<Message> messages_;
  std::vector<ThreadSample> threads_;
  std::map<int, std::uint64_t> unrecorded_;
  Ns now_ = 0;
  std::uint64_t revision_ = 0;
  NameId in_flight_ = 0;
};

}  // namespace p2plab::trace
