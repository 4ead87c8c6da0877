// Recording on the thread that runs: every thread of a rank has one lane ("host", "compute", "comm"). With the feed off
// all of it is a test of one pointer.
#pragma once
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>

#include "app/trace/recorder.h"
#include "demos/p2p/world.h"

namespace p2p {

using p2plab::trace::Record;
using p2plab::trace::Recorder;
using p2plab::trace::RecordType;
using p2plab::trace::StringHandle;

/// The lane of a thread; `ring` is null while the feed is off.
struct Lane {
  p2plab::trace::RingWriter* ring = nullptr;
  StringHandle name = 0;

  /// The calling thread's lane.
  static Lane& current();
  /// Makes the calling thread record as `lane`, which gets its work from the lane `owner`.
  static void enter(Recorder& recorder, std::string_view lane, std::string_view owner = {});
  /// The calling thread records no more.
  static void leave();
};

/// A span on the calling thread's lane, closed by the destructor.
class OpenSpan {
 public:
  OpenSpan() = default;
  explicit OpenSpan(const Record& call) : ring_(Lane::current().ring) {
    if (ring_ == nullptr) return;
    Record record = call;
    record.type = RecordType::begin;
    record.lane = Lane::current().name;
    record.id = id_ = ring_->next_id();
    ring_->push(record);
  }
  OpenSpan(OpenSpan&& other) noexcept : ring_(std::exchange(other.ring_, nullptr)), id_(other.id_) {}
  OpenSpan& operator=(OpenSpan&&) = delete;
  ~OpenSpan() { close(); }

  void close() {
    if (ring_ == nullptr) return;
    ring_->end(id_);
    ring_ = nullptr;
  }
  std::uint32_t id() const { return id_; }

  /// This span waits for a request of its rank,
  void waits_for_request(std::int32_t request) const {
    wait_on(request, 0, 0);
  }
  /// or for an event, which the lane `lane` is to record.
  void waits_for_event(std::uint64_t event, StringHandle lane) const {
    wait_on(p2plab::trace::kNone, event, lane);
  }

 private:
  void wait_on(std::int32_t request, std::uint64_t event, StringHandle lane) const {
    if (ring_ == nullptr) return;
    Record record;
    record.type = RecordType::wait_on;
    record.id = id_;
    record.request = request;
    record.value = event;
    record.lane = lane;
    ring_->push(record);
  }
  p2plab::trace::RingWriter* ring_ = nullptr;
  std::uint32_t id_ = 0;
};

}  // namespace p2p
