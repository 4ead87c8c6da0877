// Rings into the trace: maps what appears, merges the rings of a rank by time, ties ends to begins.
#include "app/trace/feed_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

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
  std::uint64_t mask = 0;
  std::uint64_t tail = 0;        ///< records read
  std::uint64_t stop = 0;        ///< how far this poll reads
  std::uint64_t noted = 0;       ///< `tail` when the pace was last noted
  std::uint32_t last_begun = 0;  ///< newest id seen in a begin
  std::size_t sample = 0;        ///< index into Trace::threads()
  SpanTable spans;

  const Record& next() const { return slots[tail & mask]; }
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
  std::unordered_map<std::uint32_t, Ns> early_ends;  ///< an end read before its begin in another ring

  std::filesystem::path path_in(const std::filesystem::path& dir) const {
    return dir / ("rank-" + std::to_string(rank) + ".feed");
  }
};

// Ids count up within a ring (26 bits); a begin that lies this far behind the newest one will not come any more.
bool is_past(std::uint32_t id, std::uint32_t last_begun) {
  const std::uint32_t behind = (last_begun - id) & 0x03FFFFFFu;
  return behind >= 1024 && behind < 0x02000000u;
}

}  // namespace

struct FeedReader::Impl {
  std::filesystem::path dir;
  ClockScale clock;
  std::vector<Rank> ranks;
  std::size_t first = 0;  ///< the rank the next poll starts with, so that none starves
  Ns looked_at = 0;
  int slow_looks = 0;  ///< those in a row that found some records and no ring that fills fast
  std::function<std::string(std::string_view)> resolve;

  NameId name(Trace& trace, Rank& rank, StringHandle handle) const {
    NameId& known = rank.names[handle];
    if (known != kNoIndex) return known;
    if (handle == 0) return known = 0;
    const std::size_t at = std::size_t{handle} * 4;
    std::uint16_t length = 0;
    std::memcpy(&length, rank.strings + at, sizeof length);
    if (at + 2 + length > rank.header->strings_used.load(std::memory_order_acquire)) return 0;
    const std::string_view text{rank.strings + at + 2, length};
    if (text.starts_with('@') && resolve) return known = trace.intern(resolve(text.substr(1)));
    return known = trace.intern(text);
  }
  TrackId track(Trace& trace, Rank& rank, StringHandle lane) const {
    TrackId& known = rank.tracks[lane];
    if (known == kNoIndex) known = trace.track(rank.rank, name(trace, rank, lane));
    return known;
  }

  void attach(Rank& rank) const {
    MappedFile file = MappedFile::open(rank.path_in(dir));
    if (!file) return;
    constexpr std::size_t bytes = kHeaderBytes + kStringBytes;
    if (file.size() < bytes) throw bad_feed(rank);
    auto base = file.map(0, bytes);
    auto* header = reinterpret_cast<FeedHeader*>(base.get());
    if (header->magic != kFeedMagic || header->version != kFeedVersion) throw bad_feed(rank);
    rank.file = std::move(file);
    rank.base = std::move(base);
    rank.header = header;
    rank.strings = reinterpret_cast<const char*>(rank.base.get()) + kHeaderBytes;
  }

  Error bad_feed(const Rank& rank) const { return Error("trace.bad_feed", {{"path", rank.path_in(dir).string()}}, 3); }

  void attach_rings(Trace& trace, Rank& rank) const {
    const std::uint32_t ready = std::min(rank.header->rings.load(std::memory_order_acquire), kMaxRings);
    while (rank.rings.size() < ready) {
      Ring ring;
      ring.header = &rank.header->ring[rank.rings.size()];
      const std::size_t at = ring.header->slots_offset, bytes = std::size_t{ring.header->slots} * sizeof(Record);
      if (!std::has_single_bit(ring.header->slots) || at > rank.file.size() || rank.file.size() - at < bytes) {
        throw bad_feed(rank);
      }
      ring.mask = ring.header->slots - 1;
      ring.memory = rank.file.map(at, bytes);
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
    span.kind = record.kind <= Kind::wait ? record.kind : Kind::other;
    span.flags = record.flags;
    span.chunk = record.chunk;
    span.stage = record.stage;
    span.peer = record.peer;
    span.tag = record.tag;
    span.request = record.request;
    span.sequence = record.sequence;
    span.microbatch = record.microbatch;
    span.bytes = record.bytes;
    span.detail = name(trace, rank, static_cast<StringHandle>(record.value & 0xFFFF));
    if ((record.flags & kPosts) != 0) {
      span.flags = static_cast<std::uint8_t>(span.flags & ~kPosts);
      opened(rank, record.id, trace.begin(span), trace);
      span.track = trace.track(rank.rank, trace.in_flight_lane());
      span.flags = static_cast<std::uint8_t>((span.flags & ~kBlocking) | kInFlight);
      opened(rank, next_id(record.id), trace.begin(span), trace);
      return;
    }
    opened(rank, record.id, trace.begin(span), trace);
  }
  static std::uint32_t next_id(std::uint32_t id) { return (id & 0xFC000000u) | ((id + 1) & 0x03FFFFFFu); }

  static void opened(Rank& rank, std::uint32_t record_id, SpanId id, Trace& trace) {
    const std::size_t ring = record_id >> 26;
    if (!rank.early_ends.empty()) {
      if (const auto it = rank.early_ends.find(record_id); it != rank.early_ends.end()) {
        trace.end(id, it->second);
        rank.early_ends.erase(it);
        return;
      }
    }
    if (ring >= rank.rings.size()) return;
    rank.rings[ring].spans.open.push_back({record_id, id});
    rank.rings[ring].last_begun = record_id;
  }

  void end(Trace& trace, Rank& rank, std::uint32_t record_id, Ns when) const {
    const std::size_t ring = record_id >> 26;
    if (ring < rank.rings.size()) {
      const SpanId id = rank.rings[ring].spans.close(record_id);
      if (id != kNoIndex) return trace.end(id, when);
      if (is_past(record_id, rank.rings[ring].last_begun)) return;  // its begin was lost
    }
    if (rank.early_ends.size() > 4096) {
      std::erase_if(rank.early_ends, [&](const auto& early) {
        const std::size_t of = early.first >> 26;
        return of < rank.rings.size() && is_past(early.first, rank.rings[of].last_begun);
      });
    }
    rank.early_ends[record_id] = when;
  }

  // Records were lost just before this instant, ends perhaps: what the thread itself had open is cut here, or it would
  // stay open for ever and push everything after it one row down.
  static void cut(Trace& trace, Ring& ring, Ns when) {
    std::erase_if(ring.spans.open, [&](const OpenSpan& open) {
      if ((trace.span(open.span).flags & kInFlight) != 0) return false;
      trace.end(open.span, when);
      return true;
    });
  }

  void apply(Trace& trace, Rank& rank, Ring& from, const Record& record) const {
    const Ns when = clock.to_ns(record.ticks);
    if (record.lost != 0) [[unlikely]]
      cut(trace, from, when);
    switch (record.type) {
      case RecordType::begin:
        begin(trace, rank, record, when);
        break;
      case RecordType::end:
        end(trace, rank, record.id, when);
        if ((record.flags & kPosts) != 0) end(trace, rank, next_id(record.id), when);
        break;
      case RecordType::done: {
        begin(trace, rank, record, when);
        const Ns until = clock.to_ns(record.ticks + (record.value >> 16));
        end(trace, rank, record.id, until);
        if ((record.flags & kPosts) != 0) end(trace, rank, next_id(record.id), until);
        trace.saw(until);
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
      case RecordType::event: trace.event_recorded(rank.rank, record.value, track(trace, rank, record.lane), when); break;
      case RecordType::reached: trace.event_reached(rank.rank, record.value, when); break;
      case RecordType::wait_on: {
        WaitTarget target;
        target.wait = find_span(rank, record.id);
        target.request = record.request;
        if (record.comm != 0) {
          target.comm = name(trace, rank, record.comm);
          target.peer = record.peer;
          target.tag = record.tag;
        } else if (record.request < 0) {
          target.event = record.value;
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
      case RecordType::matched: {
        const SpanId id = find_span(rank, record.id);
        if (id != kNoIndex) trace.add(Received{id, record.peer, record.tag, record.bytes});
        break;
      }
      case RecordType::withdrawn:
        if (const SpanId id = find_span(rank, record.id); id != kNoIndex) trace.withdraw(id);
        break;
      case RecordType::members:
        trace.members(name(trace, rank, record.comm), ranks_in(trace.name(name(trace, rank, record.site))));
        break;
      case RecordType::finding:
        reported(trace, rank, record, when);
        break;
      case RecordType::metric:
        trace.add(Metric{rank.rank, name(trace, rank, record.name), std::bit_cast<double>(record.value)});
        break;
      case RecordType::note:
        trace.add(Note{rank.rank, name(trace, rank, record.name), name(trace, rank, record.site), record.request});
        break;
    }
    trace.saw(when);
  }

  static std::vector<int> ranks_in(const std::string& list) {
    std::vector<int> ranks;
    for (std::size_t at = 0; at < list.size();) {
      const std::size_t comma = std::min(list.find(',', at), list.size());
      ranks.push_back(std::atoi(list.c_str() + at));
      at = comma + 1;
    }
    return ranks;
  }

  void reported(Trace& trace, Rank& rank, const Record& record, Ns when) const {
    const auto report = std::bit_cast<Report>(record.value);
    Reported out;
    out.rank = rank.rank;
    out.when = when;
    out.kind = name(trace, rank, record.name);
    out.call = name(trace, rank, record.lane);
    out.site = name(trace, rank, record.site);
    out.comm = name(trace, rank, record.comm);
    out.detail = name(trace, rank, report.detail);
    out.other = name(trace, rank, report.other);
    out.peer = record.peer;
    out.tag = record.tag;
    out.request = record.request;
    out.bytes = record.bytes;
    out.certain = report.certain != 0;
    out.ends = report.ends != 0;
    trace.add(out);
  }

  // A state counts only if nothing was recorded before or while it was looked at: who has just recorded is running.
  void sample(Trace& trace, Rank& rank, Ring& ring) const {
    ThreadSample& thread = trace.threads()[ring.sample];
    thread.dropped = ring.header->dropped.load(std::memory_order_relaxed);
    thread.wait_span = kNoIndex;
    const ThreadState state = ring.header->state.load(std::memory_order_acquire);
    const std::uint32_t wait_span = ring.header->wait_span.load(std::memory_order_acquire);
    const std::uint64_t polls = ring.header->polls.load(std::memory_order_acquire);
    const Ticks since = ring.header->since.load(std::memory_order_acquire);
    if (rank.header->finished.load(std::memory_order_acquire) != 0) {
      thread.state = ThreadState::exited;
    } else if (ring.header->head.load(std::memory_order_acquire) != ring.tail) {
      thread.state = ThreadState::running;
    } else {
      thread.state = state;
    }
    if (thread.state == ThreadState::blocked || thread.state == ThreadState::polling) {
      thread.wait_span = find_span(rank, wait_span);
      thread.polls = polls;
      thread.since = clock.to_ns(since);
    }
  }

  // The rings of a rank are read in order of time, each as far as it was filled when this began: so an operation posted
  // by one thread and completed by another ends before the next one begins.
  std::size_t read(Trace& trace, Rank& rank, std::size_t budget) const {
    for (Ring& ring : rank.rings) {
      const std::uint64_t head = ring.header->head.load(std::memory_order_acquire);
      // A rank can write anything there, a child that it forked among others: what cannot be is read no further.
      ring.stop = head - ring.tail <= ring.mask + 1 ? head : ring.tail;
      if (head - ring.tail == ring.mask + 1) ++trace.threads()[ring.sample].found_full;
    }
    std::size_t moved = 0;
    while (moved < budget) {
      Ring* first = nullptr;
      Ticks until = UINT64_MAX;  // when the next record of any other ring was written
      for (Ring& ring : rank.rings) {
        if (ring.tail == ring.stop) continue;
        if (first == nullptr || ring.next().ticks < first->next().ticks) {
          if (first != nullptr) until = first->next().ticks;
          first = &ring;
        } else {
          until = std::min(until, ring.next().ticks);
        }
      }
      if (first == nullptr) break;
      moved += read_run(trace, rank, *first, until, budget - moved);
    }
    for (Ring& ring : rank.rings) ring.header->tail.store(ring.tail, std::memory_order_release);
    return moved;
  }

  // A burst after silence would find a ring full before a seldom look; so only looks that found something count.
  void note_pace(Ns now) {
    bool fast = false, any = false;
    for (Rank& rank : ranks) {
      for (Ring& ring : rank.rings) {
        const auto room = static_cast<Ns>(ring.mask + 1), came = static_cast<Ns>(ring.tail - ring.noted);
        ring.noted = ring.tail;
        any = any || came > 0;
        fast = fast || came * kSeldomNs > room / 2 * (now - looked_at);
      }
    }
    looked_at = now;
    if (any) slow_looks = fast ? 0 : slow_looks + 1;
  }

  static constexpr Ns kSeldomNs = std::chrono::nanoseconds(kLookSeldom).count();
  static constexpr int kSlowLooks = 16;  ///< after which the pace is trusted
  static constexpr std::uint64_t kAhead = 8;  ///< records: each lies in the cache of the core that wrote it

  // At least one record, and all that were written no later than `until`.
  std::size_t read_run(Trace& trace, Rank& rank, Ring& ring, Ticks until, std::size_t budget) const {
    const std::uint64_t begin = ring.tail, stop = std::min<std::uint64_t>(ring.stop, begin + budget);
    do {
      __builtin_prefetch(&ring.slots[(ring.tail + kAhead) & ring.mask]);
      apply(trace, rank, ring, ring.next());
      // Freed in strides: the writer sees room early, and the line is not passed to and fro at every record.
      if ((++ring.tail & 1023) == 0) ring.header->tail.store(ring.tail, std::memory_order_release);
    } while (ring.tail < stop && ring.next().ticks <= until);
    trace.threads()[ring.sample].newest_record = clock.to_ns(ring.slots[(ring.tail - 1) & ring.mask].ticks);
    return ring.tail - begin;
  }
};

FeedReader::FeedReader(std::filesystem::path dir, int ranks, const ClockScale& clock)
    : impl_(std::make_unique<Impl>()) {
  impl_->dir = std::move(dir);
  impl_->clock = clock;
  impl_->ranks.resize(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) impl_->ranks[static_cast<std::size_t>(r)].rank = r;
}
FeedReader::~FeedReader() = default;
FeedReader::FeedReader(FeedReader&&) noexcept = default;

std::size_t FeedReader::poll(Trace& trace, std::size_t budget) {
  const std::size_t count = impl_->ranks.size();
  for (Rank& rank : impl_->ranks) {
    if (rank.header == nullptr) impl_->attach(rank);
    if (rank.header != nullptr) impl_->attach_rings(trace, rank);
  }
  // Equal shares first, the rest to whoever comes first; who comes first changes.
  std::size_t moved = 0;
  for (std::size_t share = budget / std::max<std::size_t>(count, 1) + 1; moved < budget; share = budget) {
    for (std::size_t k = 0; k < count && moved < budget; ++k) {
      Rank& rank = impl_->ranks[(impl_->first + k) % count];
      if (!rank.rings.empty()) moved += impl_->read(trace, rank, std::min(share, budget - moved));
    }
    if (share == budget) break;
  }
  impl_->first = count == 0 ? 0 : (impl_->first + 1) % count;
  impl_->note_pace(impl_->clock.to_ns(impl_->clock.now()));
  bool running = false;
  for (Rank& rank : impl_->ranks) {
    if (rank.header == nullptr) continue;
    trace.unrecorded(rank.rank, rank.header->lost_threads.load(std::memory_order_relaxed));
    for (Ring& ring : rank.rings) impl_->sample(trace, rank, ring);
    running = running || rank.header->finished.load(std::memory_order_relaxed) == 0;
  }
  // While ranks run, the trace's now is the present: open spans grow, and a hang has a duration.
  if (running) trace.saw(impl_->clock.to_ns(impl_->clock.now()));
  return moved;
}

std::chrono::milliseconds FeedReader::rest() const {
  return impl_->slow_looks < Impl::kSlowLooks ? kLookEvery : kLookSeldom;
}

int FeedReader::attached() const {
  return static_cast<int>(std::count_if(impl_->ranks.begin(), impl_->ranks.end(), [](const Rank& rank) { return rank.header != nullptr; }));
}

int FeedReader::initialized() const {
  int count = 0;
  for (std::size_t r = 0; r < impl_->ranks.size(); ++r) count += initialized(static_cast<int>(r)) ? 1 : 0;
  return count;
}

int FeedReader::finalized() const {
  return static_cast<int>(std::count_if(impl_->ranks.begin(), impl_->ranks.end(), [](const Rank& rank) {
    return rank.header != nullptr && rank.header->finalized.load(std::memory_order_acquire) != 0;
  }));
}

bool FeedReader::finalized(int rank) const {
  const FeedHeader* header = impl_->ranks.at(static_cast<std::size_t>(rank)).header;
  return header != nullptr && header->finalized.load(std::memory_order_acquire) != 0;
}

bool FeedReader::finished(int rank) const {
  const FeedHeader* header = impl_->ranks.at(static_cast<std::size_t>(rank)).header;
  return header != nullptr && header->finished.load(std::memory_order_acquire) != 0;
}

bool FeedReader::initialized(int rank) const {
  const FeedHeader* header = impl_->ranks.at(static_cast<std::size_t>(rank)).header;
  return header != nullptr && header->initialized.load(std::memory_order_acquire) != 0;
}

int FeedReader::process(int rank) const {
  const FeedHeader* header = impl_->ranks.at(static_cast<std::size_t>(rank)).header;
  return header == nullptr ? 0 : header->pid;
}

std::vector<int> FeedReader::threads(int rank) const {
  std::vector<int> out;
  for (const Ring& ring : impl_->ranks.at(static_cast<std::size_t>(rank)).rings) out.push_back(static_cast<int>(ring.header->thread_id));
  return out;
}

void FeedReader::resolve_sites(std::function<std::string(std::string_view)> resolve) { impl_->resolve = std::move(resolve); }

int FeedReader::finished() const {
  int finished = 0;
  for (const Rank& rank : impl_->ranks) {
    if (rank.header != nullptr && rank.header->finished.load(std::memory_order_acquire) != 0) ++finished;
  }
  return finished;
}

}  // namespace p2plab::trace
