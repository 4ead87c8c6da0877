// The rank's side of the live feed. Recording one span costs about two clock reads; only a full ring is waited for, if at all.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <source_location>
#include <string_view>
#include <utility>

#include "app/trace/record.h"

namespace p2plab::trace {

/// What a rank of a run waits for the lab to read a full ring: evidence is worth more than the time, which the lab says was lost.
constexpr std::int64_t kPatienceNs = 10'000'000'000;

/// The single producer of one ring; used by one thread only.
class RingWriter {
 public:
  /// `patience_ns`: how long a full ring is waited for, until the first time that nobody empties it.
  RingWriter(RingHeader* header, Record* slots, std::uint32_t ring_index, const ClockScale* clock, std::int64_t patience_ns = 0)
      : header_(header), slots_(slots), clock_(clock), mask_(header->slots - 1), patience_ns_(patience_ns), next_id_(ring_index << 26) {}

  /// A fresh span id, unique in this rank (26 bits per ring, then it wraps).
  std::uint32_t next_id() {
    const std::uint32_t id = next_id_;
    next_id_ = (next_id_ & 0xFC000000u) | ((next_id_ + 1) & 0x03FFFFFFu);
    return id;
  }

  /// Stamps the record with the time now and appends it; counts it as dropped if the ring is full.
  void push(const Record& record) { append(record, clock_->now()); }
  void push_stamped(const Record& record) { append(record, record.ticks); }
  /// Closes the span `id` now. Written in place: a rank goes on only after this, and the other one waits for it.
  void end(std::uint32_t id, std::uint8_t flags = 0) {
    const Ticks now = clock_->now();
    if (!has_room()) return;
    new (&slots_[head_ & mask_]) Record{.ticks = now, .id = id, .type = RecordType::end, .flags = flags, .lost = std::exchange(lost_, std::uint8_t{0})};
    publish();
  }

  /// Marks this thread as polling inside `span`; polled() counts failed polls; running() ends it.
  void blocked(std::uint32_t span) {
    header_->polls.store(0, std::memory_order_relaxed);
    header_->since.store(clock_->now(), std::memory_order_relaxed);
    header_->wait_span.store(span, std::memory_order_relaxed);
    header_->state.store(ThreadState::blocked, std::memory_order_release);
  }
  void polled(std::uint64_t times = 1) { header_->polls.store(header_->polls.load(std::memory_order_relaxed) + times, std::memory_order_relaxed); }
  void running() { header_->state.store(ThreadState::running, std::memory_order_release); }
  void polling(std::uint32_t span) {
    blocked(span);
    header_->state.store(ThreadState::polling, std::memory_order_release);
  }
  void idle() { header_->state.store(ThreadState::idle, std::memory_order_release); }
  void exited() { header_->state.store(ThreadState::exited, std::memory_order_release); }
  RingHeader& header() { return *header_; }
  Ticks now() const { return clock_->now(); }
  /// True if the next record would be dropped.
  bool full() {
    if (head_ - cached_tail_ <= mask_) return false;
    cached_tail_ = header_->tail.load(std::memory_order_acquire);
    return head_ - cached_tail_ > mask_;
  }

 private:
  bool reader_makes_room();
  /// Counts what is to be written as dropped if the ring stays full.
  bool has_room() {
    if (!full()) [[likely]] return true;
    if (patience_ns_ != 0 && reader_makes_room()) return true;
    header_->dropped.store(++dropped_, std::memory_order_relaxed);
    if (lost_ < 255) ++lost_;
    return false;
  }
  void append(const Record& record, Ticks ticks) {
    if (!has_room()) return;
    Record& slot = slots_[head_ & mask_];
    slot = record;
    slot.ticks = ticks;
    slot.lost = std::exchange(lost_, std::uint8_t{0});
    publish();
  }
  void publish() {
    header_->head.store(++head_, std::memory_order_release);
#if defined(__x86_64__)
    // The reader's core holds the lines of the next slots. Stores become visible in order, so whatever this thread stores
    // after its next records, a message among it, would wait for those lines.
    asm volatile("prefetchw %0" : : "m"(slots_[(head_ + kAhead) & mask_]));
#endif
  }

  static constexpr std::uint64_t kAhead = 2;  ///< records written before a line that was asked for is there

  RingHeader* header_;
  Record* slots_;
  const ClockScale* clock_;
  std::uint64_t mask_;
  std::int64_t patience_ns_;
  std::uint64_t head_ = 0;
  std::uint64_t cached_tail_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint8_t lost_ = 0;  ///< dropped since the last one written
  std::uint32_t next_id_;
};

/// Writes the feed of one rank. Without a job directory every call is a cheap no-op (the feed is off).
class Recorder {
 public:
  /// Feed off.
  Recorder();
  /// Makes DIR/rank-N.feed. Throws Error "job.shm_full" when the memory cannot be reserved.
  Recorder(const std::filesystem::path& dir, int rank, const ClockScale& clock, std::uint32_t ring_slots = kRingSlots, std::int64_t patience_ns = 0);
  ~Recorder();
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;

  bool on() const { return impl_ != nullptr; }
  /// The calling thread's ring; null when the feed is off or no ring could be had (then the loss is counted).
  /// `lane` and `owner` name the thread when it records for the first time.
  RingWriter* ring(std::string_view lane = "host", std::string_view owner = {});
  /// A ring for a lane that no thread of its own records on (a GPU's stream); one thread may use it. Null as ring().
  RingWriter* lane_ring(std::string_view lane, std::string_view owner);
  /// Handle of a text in the shared string table; equal texts get equal handles. 0 when the table is full.
  StringHandle intern(std::string_view text);
  /// "file:line" of a call, interned.
  StringHandle site(const std::source_location& where);
  /// The rank is past finalize: it releases nobody any more.
  void finished();
  /// The rank has come out of MPI_Init, and out of MPI_Finalize.
  void initialized();
  void finalized();
  const ClockScale& clock() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace p2plab::trace
