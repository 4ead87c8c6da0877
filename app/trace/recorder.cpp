// The rank's side of the live feed.
#include "app/trace/recorder.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/trace/error.h"
#include "app/trace/mapped_file.h"

namespace p2plab::trace {
namespace {

// A thread asks for its ring at every record: remembered per thread, and forgotten when the recorder is another one.
struct ThreadRing {
  std::uint64_t recorder = 0;
  RingWriter* ring = nullptr;
};
thread_local ThreadRing t_ring;

// Call sites a thread has lately recorded, so that the table is asked once for each.
struct ThreadSite {
  std::uint64_t recorder = 0;
  const char* file = nullptr;
  std::uint_least32_t line = 0;
  StringHandle handle = 0;
};
thread_local std::array<ThreadSite, 64> t_sites;

/// Names that this thread has interned, by where they lie: almost all are literals. What stands there is compared, as a name
/// that was put together may lie where another one did. Without a destructor: threads record while they end.
struct ThreadName {
  static constexpr std::size_t kLongest = 32;  ///< longer ones are notes, said once
  std::uint64_t recorder = 0;
  StringHandle handle = 0;
  std::uint16_t size = 0;
  char text[kLongest] = {};
};
thread_local std::array<ThreadName, 64> t_names;
std::atomic<std::uint64_t> g_next_recorder{1};

}  // namespace

bool RingWriter::reader_makes_room() {
  constexpr timespec kNap{0, 100'000};
  const std::int64_t until = monotonic_ns() + patience_ns_;
  while (full() && monotonic_ns() < until) ::nanosleep(&kNap, nullptr);
  if (full()) patience_ns_ = 0;  // nobody reads any more
  return patience_ns_ != 0;
}

struct Recorder::Impl {
  std::uint64_t id = g_next_recorder.fetch_add(1);
  MappedFile file;
  std::shared_ptr<std::byte> base;  ///< header and strings
  FeedHeader* header = nullptr;
  char* strings = nullptr;
  ClockScale clock;
  std::size_t end = kHeaderBytes + kStringBytes;  ///< of the file
  std::mutex mutex;                               ///< guards everything below, and growing
  std::unordered_map<std::string, StringHandle> handles;
  std::deque<RingWriter> rings;
  std::vector<std::shared_ptr<std::byte>> mappings;
  std::int64_t patience_ns = 0;

  StringHandle intern_locked(std::string_view text) {
    if (text.empty()) return 0;
    if (text.size() > 0xFFFF) text = text.substr(0, 0xFFFF);
    const auto [it, fresh] = handles.try_emplace(std::string(text), StringHandle{0});
    if (!fresh) return it->second;
    const std::uint32_t used = header->strings_used.load(std::memory_order_relaxed);
    const std::size_t need = (2 + text.size() + 3) / 4 * 4;
    if (used + need > kStringBytes) return 0;
    const auto length = static_cast<std::uint16_t>(text.size());
    std::memcpy(strings + used, &length, sizeof length);
    std::memcpy(strings + used + 2, text.data(), text.size());
    header->strings_used.store(used + static_cast<std::uint32_t>(need), std::memory_order_release);
    return it->second = static_cast<StringHandle>(used / 4);
  }

  RingWriter* add_ring(std::string_view lane, std::string_view owner) {
    const std::lock_guard lock(mutex);
    const auto thread = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    const StringHandle lane_handle = intern_locked(lane);
    for (RingWriter& known : rings) {
      if (known.header().thread_id == thread && known.header().lane == lane_handle) return &known;
    }
    const std::uint32_t index = header->rings.load(std::memory_order_relaxed);
    constexpr std::size_t page = 4096;  // where a mapping may begin
    const std::size_t bytes = (std::size_t{header->ring_slots} * sizeof(Record) + page - 1) / page * page;
    if (index == kMaxRings || !file.reserve(end, bytes)) return nullptr;
    mappings.push_back(file.map(end, bytes));
    RingHeader& ring = header->ring[index];
    ring.slots_offset = end;
    ring.slots = header->ring_slots;
    ring.thread_id = thread;
    ring.lane = lane_handle;
    ring.owner = intern_locked(owner);
    end += bytes;
    header->rings.store(index + 1, std::memory_order_release);
    return &rings.emplace_back(&ring, reinterpret_cast<Record*>(mappings.back().get()), index, &clock, patience_ns);
  }
};

Recorder::Recorder() = default;
Recorder::~Recorder() = default;
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;

Recorder::Recorder(const std::filesystem::path& dir, int rank, const ClockScale& clock, std::uint32_t ring_slots, std::int64_t patience_ns)
    : impl_(std::make_unique<Impl>()) {
  impl_->patience_ns = patience_ns;
  // Written under another name first: the reader never sees a half-made header.
  const std::filesystem::path path = dir / ("rank-" + std::to_string(rank) + ".feed");
  const std::filesystem::path unfinished = path.string() + ".new";
  impl_->clock = clock;
  impl_->file = MappedFile::create(unfinished);
  if (!impl_->file.reserve(0, impl_->end)) throw Error("job.shm_full", {{"path", dir.string()}});
  impl_->base = impl_->file.map(0, impl_->end);
  auto* header = new (impl_->base.get()) FeedHeader;
  impl_->header = header;
  impl_->strings = reinterpret_cast<char*>(impl_->base.get()) + kHeaderBytes;
  header->version = kFeedVersion;
  header->rank = rank;
  header->pid = static_cast<std::int32_t>(::getpid());
  header->ring_slots = ring_slots;
  ::gethostname(header->host, sizeof header->host - 1);
  header->strings_used.store(4, std::memory_order_relaxed);  // handle 0 is the empty string
  header->magic = kFeedMagic;
  std::filesystem::rename(unfinished, path);
}

RingWriter* Recorder::ring(std::string_view lane, std::string_view owner) {
  if (impl_ == nullptr) return nullptr;
  if (t_ring.recorder != impl_->id) t_ring = {impl_->id, impl_->add_ring(lane, owner)};
  if (t_ring.ring == nullptr) impl_->header->lost_threads.fetch_add(1, std::memory_order_relaxed);
  return t_ring.ring;
}

RingWriter* Recorder::lane_ring(std::string_view lane, std::string_view owner) {
  if (impl_ == nullptr) return nullptr;
  RingWriter* ring = impl_->add_ring(lane, owner);
  if (ring == nullptr) impl_->header->lost_threads.fetch_add(1, std::memory_order_relaxed);
  return ring;
}

StringHandle Recorder::intern(std::string_view text) {
  if (impl_ == nullptr) return 0;
  if (text.size() > ThreadName::kLongest) {
    const std::lock_guard lock(impl_->mutex);
    return impl_->intern_locked(text);
  }
  ThreadName& known = t_names[(reinterpret_cast<std::uintptr_t>(text.data()) >> 3) % t_names.size()];
  if (known.recorder != impl_->id || std::string_view(known.text, known.size) != text) {
    const std::lock_guard lock(impl_->mutex);
    known.recorder = impl_->id;
    known.handle = impl_->intern_locked(text);
    known.size = static_cast<std::uint16_t>(text.size());
    std::memcpy(known.text, text.data(), text.size());
  }
  return known.handle;
}

StringHandle Recorder::site(const std::source_location& where) {
  if (impl_ == nullptr) return 0;
  const std::size_t at = (reinterpret_cast<std::uintptr_t>(where.file_name()) + where.line()) % t_sites.size();
  ThreadSite& known = t_sites[at];
  if (known.recorder != impl_->id || known.file != where.file_name() || known.line != where.line()) {
    known = {impl_->id, where.file_name(), where.line(),
             intern(std::string(where.file_name()) + ":" + std::to_string(where.line()))};
  }
  return known.handle;
}

void Recorder::finished() {
  if (impl_ != nullptr) impl_->header->finished.store(1, std::memory_order_release);
}

void Recorder::initialized() {
  if (impl_ != nullptr) impl_->header->initialized.store(1, std::memory_order_release);
}

void Recorder::finalized() {
  if (impl_ != nullptr) impl_->header->finalized.store(1, std::memory_order_release);
}

const ClockScale& Recorder::clock() const {
  static const ClockScale off;
  return impl_ != nullptr ? impl_->clock : off;
}

}  // namespace p2plab::trace
