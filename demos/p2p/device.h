// The seam for backends whose streams, events and memory are a GPU's own: what the runtime asks of them. The calling
// thread only enqueues; what the GPU did, and when, is read from events by the timeline (device_timeline.h).
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/trace/clock.h"
#include "demos/p2p/backend.h"
#include "demos/p2p/kernels.h"

namespace p2p {

/// A place in a stream, for other streams to wait for. It does not time.
class DeviceEvent {
 public:
  virtual ~DeviceEvent() = default;
  virtual bool query() = 0;  ///< everything enqueued before it is done
};

/// A place in a stream with the time at which the GPU came to it.
class Stamp {
 public:
  virtual ~Stamp() = default;
  virtual bool reached() = 0;
  /// On the clock given to start_clock(); only once it is reached.
  virtual p2plab::trace::Ticks when() = 0;
};

class DeviceStream {
 public:
  virtual ~DeviceStream() = default;
  virtual std::shared_ptr<DeviceEvent> record() = 0;
  virtual void wait(const DeviceEvent& event) = 0;  ///< later work of this stream waits
  virtual std::unique_ptr<Stamp> stamp() = 0;
  virtual void launch(const Kernel& kernel) = 0;
  /// Either way between GPU and host; the host's side is pinned memory.
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void set(void* to, int value, std::size_t bytes) = 0;
};

/// A message as part of a stream.
struct StreamTransfer {
  bool is_send = false;
  Transfer transfer;
};

/// A copy that the device makes by itself, on a stream of its own, to carry a message: between the GPU's memory and the
/// host's, or from another process's memory on the same GPU.
struct CarriedCopy {
  std::string_view lane;  ///< that stream
  std::size_t bytes = 0;
  int peer = -1;          ///< -1: a collective's
  std::unique_ptr<Stamp> begin, end;
};

/// All calls may throw BackendError. Memory may be released on any thread, and after the backend has gone.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void release(std::byte* memory) noexcept = 0;
  virtual std::byte* allocate_pinned(std::size_t bytes) = 0;  ///< of the host, seen by the GPU under the same address
  virtual void release_pinned(std::byte* memory) noexcept = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string description() const = 0;  ///< "NVIDIA H200, CUDA 13.0"
  virtual int ranks_on_gpu() const { return 1; }   ///< this one and those that share its GPU
  virtual std::shared_ptr<DeviceMemory> memory() = 0;
  virtual std::shared_ptr<DeviceStream> stream(std::string_view name) = 0;

  /// Enqueues messages that progress together. test() of what is returned is true once all of it is enqueued: until then
  /// nothing else may go on this stream. `explicit_stream`: the caller chose the stream, so other streams of this rank
  /// may carry messages at the same time.
  virtual std::unique_ptr<Pending> transfer(DeviceStream& stream, std::span<const StreamTransfer> transfers, bool explicit_stream) = 0;
  virtual std::unique_ptr<Pending> collective(DeviceStream& stream, const Collective& collective) = 0;

  /// `heard` is told of every such copy once it is enqueued, on any thread, until another one is given.
  virtual void tell_copies(std::function<void(CarriedCopy)> heard) { (void)heard; }

  /// Stamps are read on this clock from now on.
  virtual void start_clock(const p2plab::trace::ClockScale& clock) = 0;
  /// Called now and then by one thread: moves what needs the host, and ties the GPU's clock to the host's again.
  /// True while something needs it.
  virtual bool tend() = 0;
  /// Worst error of the stamps so far, ns.
  virtual std::int64_t clock_error_ns() const = 0;
  /// What --strict changes in the library below, as one sentence; empty: nothing.
  virtual std::string strictness() const { return {}; }
  /// Ends what will never end by itself; the process is about to leave.
  virtual void abort() noexcept {}
};

}  // namespace p2p
