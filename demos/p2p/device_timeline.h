// What a GPU's streams did, and when. The calling thread hands over what it has enqueued; one thread looks at the events,
// writes the spans while the run goes on, and keeps each lane's state for the wait-for graph.
#pragma once
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "demos/p2p/device.h"
#include "demos/p2p/runtime.h"

namespace p2p {

/// Checksums of one send's payload before and after it, in pinned memory.
struct SendHashes {
  OperationPtr operation;
  std::byte* before = nullptr;
  std::byte* after = nullptr;
};

/// One thing enqueued on a stream.
struct DeviceEntry {
  enum class What { work, message, collective, wait, event } what = What::work;
  Record call;                            ///< its span on the stream's lane
  std::vector<OperationPtr> operations;   ///< of a message
  std::vector<SendHashes> hashes;
  EventPtr event;                         ///< the event, or the one that is waited for
  std::unique_ptr<Stamp> begin, end;      ///< of an event only the end
  bool is_open = false;
  bool is_shown = true;
  std::uint32_t span = 0;
};

class DeviceTimeline {
 public:
  DeviceTimeline(Runtime& runtime, Device& device, std::shared_ptr<DeviceMemory> memory);
  ~DeviceTimeline();

  void add(const StreamState& stream, DeviceEntry entry);
  /// Returns when everything added so far is done and recorded.
  void drain();
  /// Also when the device has nothing left to move; nothing is looked at any more.
  void finish();

 private:
  struct StreamLane {
    p2plab::trace::RingWriter* ring = nullptr;
    StringHandle name = 0;
    p2plab::trace::Ticks last = 0;  ///< spans of a lane do not go back
    std::deque<DeviceEntry> entries;
  };
  void work();
  void tell_clock();
  void advance(StreamLane& lane);
  bool open(StreamLane& lane, DeviceEntry& entry);
  void close(StreamLane& lane, DeviceEntry& entry);
  void check(const SendHashes& hashes, StreamLane& lane);

  Runtime& runtime_;
  Device& device_;
  std::shared_ptr<DeviceMemory> memory_;
  std::mutex mutex_;
  std::condition_variable added_, drained_;
  std::map<const StreamState*, StreamLane> lanes_;
  std::int64_t told_error_ns_;  ///< of the GPU's clock
  bool closing_ = false;
  std::thread thread_;  // last: it uses all of the above
};

/// The parts of a Checksum as one number.
std::uint64_t combine_parts(const std::byte* parts);

}  // namespace p2p
