// The thread that looks at a GPU's events.
#include "demos/p2p/device_timeline.h"

#include <xxhash.h>

#include <algorithm>

#include "demos/p2p/waiting.h"

namespace p2p {
namespace {

using namespace std::chrono_literals;
using p2plab::trace::Ticks;

// Between looks. Times come from events, so looking seldom costs no precision, only how soon a span is seen; what waits for
// a peer is looked at often, for the host may have to move it, and the lab counts the looks.
constexpr std::chrono::microseconds kLook = 150us, kSeldomLook = 1000us;
constexpr std::chrono::milliseconds kIdle = 100ms;   ///< while nothing is enqueued
constexpr p2plab::trace::Ns kShortWaitNs = 20'000;   ///< a wait between streams that was over at once is not shown

}  // namespace

std::uint64_t combine_parts(const std::byte* parts) {
  return ::XXH64(parts, kernels::Checksum::kParts * sizeof(std::uint64_t), 0);
}

DeviceTimeline::DeviceTimeline(Runtime& runtime, Device& device, std::shared_ptr<DeviceMemory> memory)
    : runtime_(runtime), device_(device), memory_(std::move(memory)), told_error_ns_(device.clock_error_ns()), thread_([this] { work(); }) {}

void DeviceTimeline::finish() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  added_.notify_one();
  if (thread_.joinable()) thread_.join();
}

DeviceTimeline::~DeviceTimeline() {
  finish();
  for (auto& [stream, lane] : lanes_) {
    if (lane.ring != nullptr) lane.ring->exited();
  }
}

void DeviceTimeline::add(const StreamState& stream, DeviceEntry entry) {
  {
    const std::lock_guard lock(mutex_);
    StreamLane& lane = lanes_[&stream];
    if (lane.name == 0 && runtime_.recorder.on()) {
      lane.ring = runtime_.recorder.lane_ring(stream.name, "host");
      lane.name = stream.lane;
    }
    if (lane.entries.empty() && lane.ring != nullptr) lane.ring->running();
    lane.entries.push_back(std::move(entry));
  }
  added_.notify_one();
}

void DeviceTimeline::drain() {
  std::unique_lock lock(mutex_);
  drained_.wait(lock, [this] {
    return std::all_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane.second.entries.empty(); });
  });
}

void DeviceTimeline::work() {
  sharpen_timers();
  try {
    for (std::unique_lock lock(mutex_);;) {
      const auto empty = [this] {
        return std::all_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane.second.entries.empty(); });
      };
      lock.unlock();
      const bool busy = device_.tend();
      runtime_.check_stop();
      lock.lock();
      tell_clock();
      for (auto& [stream, lane] : lanes_) advance(lane);
      if (empty()) {
        drained_.notify_all();
        if (closing_ && !busy) return;
        if (!busy) {
          added_.wait_for(lock, kIdle, [&] { return closing_ || !empty(); });
          continue;
        }
      }
      const bool waits = std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) {
        return !lane.second.entries.empty() && lane.second.entries.front().what != DeviceEntry::What::work;
      });
      lock.unlock();
      std::this_thread::sleep_for(busy || waits ? kLook : kSeldomLook);
      lock.lock();
    }
  } catch (const std::exception& error) {
    runtime_.fail(error);
  }
}

// Called with mutex_ held, like the rest. A worse anchor is told at once: the lab may end a run at any time.
void DeviceTimeline::tell_clock() {
  const std::int64_t error_ns = device_.clock_error_ns();
  if (error_ns <= told_error_ns_) return;
  const auto lane = std::find_if(lanes_.begin(), lanes_.end(), [](const auto& one) { return one.second.ring != nullptr; });
  if (lane == lanes_.end()) return;
  lane->second.ring->push(runtime_.metric_record("gpu_clock_error_ns", static_cast<double>(error_ns)));
  told_error_ns_ = error_ns;
}

void DeviceTimeline::advance(StreamLane& lane) {
  const bool had_work = !lane.entries.empty();
  while (!lane.entries.empty()) {
    DeviceEntry& entry = lane.entries.front();
    if (entry.what == DeviceEntry::What::event) {
      if (!entry.end->reached()) break;
      if (lane.ring != nullptr) {
        Record record;
        record.type = RecordType::reached;
        record.value = entry.event->id;
        record.ticks = lane.last = std::max(entry.end->when(), lane.last);
        lane.ring->push_stamped(record);
      }
      {
        const std::lock_guard lock(entry.event->mutex);
        entry.event->done = true;
      }
      entry.event->changed.notify_all();
      lane.entries.pop_front();
      continue;
    }
    if (!entry.is_open && !open(lane, entry)) break;
    if (!entry.end->reached()) {
      if (lane.ring != nullptr && entry.what != DeviceEntry::What::work) lane.ring->polled();
      break;
    }
    close(lane, entry);
    lane.entries.pop_front();
  }
  if (had_work && lane.entries.empty() && lane.ring != nullptr) lane.ring->idle();
}

bool DeviceTimeline::open(StreamLane& lane, DeviceEntry& entry) {
  if (!entry.begin->reached()) return false;
  entry.is_open = true;
  if (lane.ring == nullptr) return true;
  const Ticks begin = lane.last = std::max(entry.begin->when(), lane.last);
  if (entry.what == DeviceEntry::What::wait && entry.end->reached()) {
    const auto& clock = runtime_.recorder.clock();
    entry.is_shown = clock.to_ns(entry.end->when()) - clock.to_ns(begin) >= kShortWaitNs;
  }
  if (!entry.is_shown) return true;
  Record record = entry.call;
  record.type = RecordType::begin;
  record.lane = lane.name;
  record.id = entry.span = lane.ring->next_id();
  record.ticks = begin;
  lane.ring->push_stamped(record);
  for (const OperationPtr& operation : entry.operations) {
    if (!operation->shown) {
      Record flight = operation->record;
      flight.type = RecordType::begin;
      flight.lane = runtime_.in_flight_lane();
      flight.flags |= p2plab::trace::kInFlight;
      flight.id = operation->in_flight = lane.ring->next_id();
      flight.ticks = begin;
      lane.ring->push_stamped(flight);
    }
    if (entry.operations.size() > 1 || record.request < 0) {
      Record target;
      target.type = RecordType::wait_on;
      target.id = entry.span;
      target.request = operation->request;
      lane.ring->push(target);
    }
  }
  if (entry.what == DeviceEntry::What::wait) {
    Record target;
    target.type = RecordType::wait_on;
    target.id = entry.span;
    target.value = entry.event->id;
    target.lane = entry.event->lane;
    lane.ring->push(target);
  }
  if (entry.what != DeviceEntry::What::work) lane.ring->blocked(entry.span);
  return true;
}

void DeviceTimeline::close(StreamLane& lane, DeviceEntry& entry) {
  for (const SendHashes& hashes : entry.hashes) check(hashes, lane);
  Record record;
  record.type = RecordType::end;
  if (lane.ring != nullptr) {
    record.ticks = lane.last = std::max(entry.end->when(), lane.last);
    for (const OperationPtr& operation : entry.operations) {
      record.id = operation->in_flight;
      lane.ring->push_stamped(record);
    }
    if (entry.is_shown) {
      record.id = entry.span;
      lane.ring->push_stamped(record);
    }
    lane.ring->running();
  }
  for (const OperationPtr& operation : entry.operations) operation->done.store(true, std::memory_order_release);
}

void DeviceTimeline::check(const SendHashes& hashes, StreamLane& lane) {
  const std::uint64_t before = combine_parts(hashes.before), after = combine_parts(hashes.after);
  memory_->release_pinned(hashes.before);
  memory_->release_pinned(hashes.after);
  if (before != after) ++runtime_.hash_mismatches;
  if (lane.ring == nullptr) return;
  Record record;
  record.id = hashes.operation->in_flight;
  record.type = RecordType::hash_post;
  record.value = before;
  lane.ring->push(record);
  record.type = RecordType::hash_done;
  record.value = after;
  lane.ring->push(record);
}

}  // namespace p2p
