// The calling thread: its lane in the trace, the span it stands in, and how it waits.
#pragma once
#include <array>
#include <string_view>

#include "demos/p2p/waiting.h"
#include "demos/probe/probe.h"

namespace p2plab::probe {

/// A call of the program, as it is recorded.
struct CallSite {
  const char* call = "";  ///< "MPI_Send"; a string literal
  void* pc = nullptr;     ///< the return address
};

class Thread {
 public:
  static Thread& current() { return current_ != nullptr ? *current_ : make(); }
  ~Thread();

  bool on() const { return ring_ != nullptr; }
  void push(const Record& record) {
    if (ring_ != nullptr) ring_->push(record);
  }
  /// With the time that the record bears already.
  void push_stamped(const Record& record) {
    if (ring_ != nullptr) ring_->push_stamped(record);
  }
  std::uint32_t next_id() { return ring_ == nullptr ? 0 : ring_->next_id(); }
  trace::RingWriter* ring() { return ring_; }
  StringHandle lane() const { return lane_; }
  /// Handles of a string literal and of a return address; both are remembered.
  StringHandle text(const char* literal);
  StringHandle site(void* pc);

  /// What the program polls, between one look and the next: one span for the whole streak.
  /// `set`: the requests of which the program asks for all or nothing; null: for any.
  void polled_request(const CallSite& where, std::int32_t request, const void* set = nullptr);
  void polled_message(const CallSite& where, StringHandle comm, int peer, int tag);
  /// The streak is over: the program has called something else.
  void end_polling() {
    if (in_streak_) [[unlikely]] end_streak();
  }
  /// Tells, once, of a thread that calls MPI though only the one that initialized it may.
  void calls(const CallSite& where) {
    if (!admitted_) [[unlikely]] admit(where);
  }
  /// This thread has initialized MPI.
  void is_main() { main_ = true; }
  /// Records no more.
  void leave() { ring_ = nullptr; }

 private:
  static Thread& make();
  static inline constinit thread_local Thread* current_ = nullptr;
  Thread();
  struct Known {
    const void* key = nullptr;
    StringHandle handle = 0;
  };
  void begin_polling(const CallSite& where, const void* set);
  void end_streak();
  void admit(const CallSite& where);
  bool is_new_target(std::uint64_t target);

  trace::RingWriter* ring_ = nullptr;
  StringHandle lane_ = 0;
  std::array<Known, 256> known_{};
  std::uint32_t streak_ = 0;  ///< id of the polling span
  bool in_streak_ = false;
  const void* set_ = nullptr;  ///< all of which it asks for; null: any of what it looks at will do
  bool admitted_ = false;  ///< it may call MPI, or it has been told of
  bool main_ = false;
  std::array<std::uint64_t, 64> targets_{};
  std::size_t target_count_ = 0;
};

/// A word to the lab about this rank; what there may be many of bears a number, as room for texts is scarce.
void note(const char* what, std::string_view text, std::int32_t number = trace::kNone);

/// "@module+0x12" of an address, as the lab resolves it; empty when it lies nowhere.
std::string module_offset(void* pc);

/// A span on the calling thread's lane, from here to the destructor.
class Call {
 public:
  enum class When {
    now,
    if_needed,  ///< recorded at its end, in one record, unless it must be seen before
  };
  /// `record` carries what is special; type, id, lane, name and site are filled in here.
  Call(const CallSite& where, const Record& record, When when = When::now);
  /// One that has begun at `record.ticks` under `record.id`, which are filled in already.
  Call(Thread& thread, const Record& record) : thread_(thread), record_(record), id_(record.id), open_(true) {}
  ~Call() { end(); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  std::uint32_t id() const { return id_; }
  /// Of a record with kPosts: the operation in flight.
  std::uint32_t in_flight() const { return (id_ & 0xFC000000u) | ((id_ + 1) & 0x03FFFFFFu); }
  /// From here on the span can be spoken of.
  void begin();
  void waits_for(std::int32_t request);
  void waits_for_message(StringHandle comm, int peer, int tag);
  /// Ends the span now, with `posts` its operation in flight as well.
  void end(bool posts = false);
  Thread& thread() { return thread_; }

 private:
  Thread& thread_;
  Record record_;
  std::uint32_t id_ = 0;
  bool open_ = false;
  bool begun_ = false;
};

/// Ends a span that is not a Call: an operation in flight.
void end_span(Thread& thread, std::uint32_t id);

/// Tells whom pending wildcards have matched (requests.cpp).
void announce_wildcards();

/// What comes at once is not worth a look at the clock.
constexpr int kQuickLooks = 48;

/// Looks again and again until `done()` is true, giving way in between; the thread counts as blocked in `call`.
template <class Done>
void wait_until(Call& call, Done done) {
  for (int look = 0; look < kQuickLooks; ++look) {
    if (done()) return;
  }
  call.begin();
  trace::RingWriter* ring = call.thread().ring();
  if (ring != nullptr) ring->blocked(call.id());
  unsigned looks = 0;
  for (p2p::Backoff backoff;; backoff.pause()) {
    if (done()) break;
    if (ring != nullptr) ring->polled();
    if (++looks % 32 == 0) announce_wildcards();
  }
  if (ring != nullptr) ring->running();
}

}  // namespace p2plab::probe
