// Rings into the trace: maps what appears, follows each ring, ties ends to begins.
#include "app/trace/feed_reader.h"

#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "app/trace/error.h"
#include "app/trace/mapped_file.h"

namespace p2plab::trace {
namespace {

struct OpenSpan {
  std::uint32_t id;
  SpanId span;
};

// The spans of one ring that may still be spoken of: the open ones, and the last few that ended.
struct SpanTable {
  std::vector<OpenSpan> open;
  std::array<OpenSpan, 64> recent{};
  std::size_t closed = 0;

  SpanId find(std::uint32_t id) const {
    for (auto it = open.rbegin(); it != open.rend(); ++it) {
      if (it->id == id) return it->span;
    }
    for (std::size_t i = 0; i < std::min(closed, recent.size()); ++i) {
      if (recent[i].id == id) return recent[i].span;
    }
    return kNoIndex;
  }
  SpanId close(std::uint32_t id) {
    for (auto it = open.rbegin(); it != open.rend(); ++it) {
      if (it->id != id) continue;
      const SpanId span = it->span;
      open.erase(std::next(it).base());
      recent[closed++ % recent.size()] = {id, span};
      return span;
    }
    return kNoIndex;
  }
};

struct Ring {
  std::shared_ptr<std::byte> memory;
  RingHeader* header = nullptr;
  const Record* slots = nullptr;
  std::uint64_t tail = 0;
  std::size_t sample = 0;  ///< index into Trace::threads()
  SpanTable spans;
};

struct Rank {
  int rank = 0;
  MappedFile file;
  std::shared_ptr<std::byte> base;
  FeedHeader* header = nullptr;
  const char* strings = nullptr;
  std::vector<Ring> rings;
  std::vector<NameId> names = std::vector<NameId>(65536, kNoIndex);
  std::vector<TrackId> tracks = std::vector<TrackId>(65536, kNoIndex);  ///< by lane handle
  std::unordered_map<std::uint32_t, Ns> early_ends;                     ///< an end read before its begin in another ring
};

}  // namespace

struct FeedReader::Impl {
  std::filesystem::path dir;
  ClockScale clock;
  std::vector<Rank> ranks;
  std::size_t first = 0;  ///< where the next poll starts, so that no ring starves

  static NameId name(Trace& trace, Rank& rank, StringHandle handle) {
    NameId& known = rank.names[handle];
    if (known != kNoIndex) return known;
    if (handle == 0) return known = 0;
    const std::size_t at = std::size_t{handle} * 4;
    std::uint16_t length = 0;
    std::memcpy(&length, rank.strings + at, sizeof length);
    if (at + 2 + length > rank.header->strings_used.load(std::memory_order_acquire)) return 0;
    return known = trace.intern({rank.strings + at + 2, length});
  }
  static TrackId track(Trace& trace, Rank& rank, StringHandle lane) {
    TrackId& known = rank.tracks[lane];
    if (known == kNoIndex) known = trace.track(rank.rank, name(trace, rank, lane));
    return known;
  }

  void attach(Rank& rank) const {
    const auto path = dir / ("rank-" + std::to_string(rank.rank) + ".feed");
    MappedFile file = MappedFile::open(path);
    if (!file) return;
    constexpr std::size_t bytes = kHeaderBytes + kStringBytes;
    if (file.size() < bytes) throw Error("trace.bad_feed", {{"path", path.string()}}, 3);
    auto base = file.map(0, bytes);
    auto* header = reinterpret_cast<FeedHeader*>(base.get());
    if (header->magic != kFeedMagic || header->version != kFeedVersion) {
      throw Error("trace.bad_feed", {{"path", path.string()}}, 3);
    }
    rank.file = std::move(file);
    rank.base = std::move(base);
    rank.header = header;
    rank.strings = reinterpret_cast<const char*>(rank.base.get()) + kHeaderBytes;
  }

  static void attach_rings(Trace& trace, Rank& rank) {
    const std::uint32_t ready = rank.header->rings.load(std::memory_order_acquire);
    while (rank.rings.size() < ready) {
      Ring ring;
      ring.header = &rank.header->ring[rank.rings.size()];
      ring.memory = rank.file.map(ring.header->slots_offset, std::size_t{ring.header->slots} * sizeof(Record));
      ring.slots = reinterpret_cast<const Record*>(ring.memory.get());
      ring.sample = trace.threads().size();
      ThreadSample sample;
      sample.rank = rank.rank;
      sample.lane = name(trace, rank, ring.header->lane);
      sample.owner = name(trace, rank, ring.header->owner);
      trace.threads().push_back(sample);
      trace.track(rank.rank, sample.lane);
      rank.rings.push_back(std::move(ring));
    }
  }

  static SpanId find_span(const Rank& rank, std::uint32_t id) {
    const std::size_t ring = id >> 26;
    return ring < rank.rings.size() ? rank.rings[ring].spans.find(id) : kNoIndex;
  }

  void begin(Trace& trace, Rank& rank, const Record& record, Ns when) const {
    Span span;
    span.begin = when;
    span.track = track(trace, rank, record.lane);
    span.name = name(trace, rank, record.name);
    span.site = name(trace, rank, record.site);
    span.comm = name(trace, rank, record.comm);
    span.kind = record.kind;
    span.flags = record.flags;
    span.chunk = record.chunk;
    span.stage = record.stage;
    span.peer = record.peer;
    span.tag = record.tag;
    span.request = record.request;
    span.sequence = record.sequence;
    span.microbatch = record.microbatch;
    span.bytes = record.bytes;
    const SpanId id = trace.begin(span);
    const std::size_t ring = record.id >> 26;
    if (!rank.early_ends.empty()) {
      if (const auto it = rank.early_ends.find(record.id); it != rank.early_ends.end()) {
        trace.end(id, it->second);
        rank.early_ends.erase(it);
        return;
      }
    }
    if (ring < rank.rings.size()) rank.rings[ring].spans.open.push_back({record.id, id});
  }

  void apply(Trace& trace, Rank& rank, const Record& record) const {
    const Ns when = clock.to_ns(record.ticks);
    switch (record.type) {
      case RecordType::begin: begin(trace, rank, record, when); break;
      case RecordType::end: {
        const std::size_t ring = record.id >> 26;
        const SpanId id = ring < rank.rings.size() ? rank.rings[ring].spans.close(record.id) : kNoIndex;
        if (id != kNoIndex) {
          trace.end(id, when);
        } else {
          rank.early_ends[record.id] = when;
        }
        break;
      }
      case RecordType::instant: {
        Span span;
        span.begin = span.end = when;
        span.track = track(trace, rank, record.lane);
        span.name = name(trace, rank, record.name);
        span.site = name(trace, rank, record.site);
        span.kind = record.kind;
        span.flags = record.flags;
        trace.begin(span);
        break;
      }
      case RecordType::event: trace.event_recorded(rank.rank, record.value, track(trace, rank, record.lane)); break;
      case RecordType::wait_on: {
        WaitTarget target;
        target.wait = find_span(rank, record.id);
        target.request = record.request;
        if (record.request < 0) {
          target.track = record.lane != 0 ? track(trace, rank, record.lane) : trace.event_track(rank.rank, record.value);
        }
        if (target.wait != kNoIndex) trace.add(target);
        break;
      }
      case RecordType::hash_post:
      case RecordType::hash_done: {
        const SpanId id = find_span(rank, record.id);
        if (id == kNoIndex) break;
        Hashes& hashes = trace.hashes(id);
        (record.type == RecordType::hash_post ? hashes.post : hashes.done) = record.value;
        (record.type == RecordType::hash_post ? hashes.has_post : hashes.has_done) = true;
        break;
      }
      case RecordType::metric:
        trace.add(Metric{rank.rank, name(trace, rank, record.name), std::bit_cast<double>(record.value)});
        break;
      case RecordType::note:
        trace.add(Note{rank.rank, name(trace, rank, record.name), name(trace, rank, record.site)});
        break;
    }
    trace.saw(when);
  }

  void sample(Trace& trace, Rank& rank, Ring& ring) const {
    ThreadSample& thread = trace.threads()[ring.sample];
    thread.state = ring.header->state.load(std::memory_order_acquire);
    if (rank.header->finished.load(std::memory_order_acquire) != 0) thread.state = ThreadState::exited;
    thread.dropped = ring.header->dropped.load(std::memory_order_relaxed);
    thread.wait_span = kNoIndex;
    if (thread.state == ThreadState::blocked) {
      thread.wait_span = find_span(rank, ring.header->wait_span.load(std::memory_order_relaxed));
      thread.polls = ring.header->polls.load(std::memory_order_relaxed);
      thread.since = clock.to_ns(ring.header->since.load(std::memory_order_relaxed));
    }
  }

  std::size_t read(Trace& trace, Rank& rank, Ring& ring, std::size_t budget) const {
    const std::uint64_t head = ring.header->head.load(std::memory_order_acquire);
    const std::uint64_t stop = std::min<std::uint64_t>(head, ring.tail + budget);
    const std::uint64_t mask = ring.header->slots - 1;
    const std::size_t moved = static_cast<std::size_t>(stop - ring.tail);
    if (moved == 0) return 0;
    for (std::uint64_t i = ring.tail; i < stop; ++i) {
      apply(trace, rank, ring.slots[i & mask]);
      // Freed in strides: the writer sees room early, and the line is not passed to and fro at every record.
      if ((i & 1023) == 1023) ring.header->tail.store(i + 1, std::memory_order_release);
    }
    trace.threads()[ring.sample].newest_record = clock.to_ns(ring.slots[(stop - 1) & mask].ticks);
    ring.tail = stop;
    ring.header->tail.store(stop, std::memory_order_release);
    return moved;
  }
};

FeedReader::FeedReader(std::filesystem::path dir, int ranks, const ClockScale& clock) : impl_(std::make_unique<Impl>()) {
  impl_->dir = std::move(dir);
  impl_->clock = clock;
  impl_->ranks.resize(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) impl_->ranks[static_cast<std::size_t>(r)].rank = r;
}
FeedReader::~FeedReader() = default;
FeedReader::FeedReader(FeedReader&&) noexcept = default;

std::size_t FeedReader::poll(Trace& trace, std::size_t budget) {
  std::size_t moved = 0;
  const std::size_t count = impl_->ranks.size();
  for (std::size_t k = 0; k < count; ++k) {
    Rank& rank = impl_->ranks[(impl_->first + k) % count];
    if (rank.header == nullptr) impl_->attach(rank);
    if (rank.header == nullptr) continue;
    impl_->attach_rings(trace, rank);
    for (Ring& ring : rank.rings) moved += impl_->read(trace, rank, ring, budget - moved);
  }
  impl_->first = count == 0 ? 0 : (impl_->first + 1) % count;
  // States are sampled after the records: a thread seen blocked has its span in the trace already.
  for (Rank& rank : impl_->ranks) {
    for (Ring& ring : rank.rings) impl_->sample(trace, rank, ring);
  }
  return moved;
}

int FeedReader::finished() const {
  int finished = 0;
  for (const Rank& rank : impl_->ranks) {
    if (rank.header != nullptr && rank.header->finished.load(std::memory_order_acquire) != 0) ++finished;
  }
  return finished;
}

}  // namespace p2plab::trace
