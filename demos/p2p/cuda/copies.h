// A stream for the copies that carry messages, between the GPU and the host or between two processes on the GPU: where
// somebody wants to know, each is told with the times at which the GPU began and ended it.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "demos/p2p/gpu/device.h"

namespace p2p::cuda {

/// Set before the first message and after the last one; null: nobody wants to know.
using Heard = std::function<void(CarriedCopy)>;

class CopyStream {
 public:
  CopyStream(std::string name, gpu::Gpu& gpu, std::shared_ptr<const Heard> heard)
      : name_(std::move(name)), stream_(std::static_pointer_cast<gpu::Stream>(gpu.stream(name_))), heard_(std::move(heard)) {}
  /// Enqueues it; nothing for no bytes. `peer`: of the message, -1 for a collective's.
  void copy(void* to, const void* from, std::size_t bytes, int peer) {
    if (bytes > 0) tell(enqueue(to, from, bytes, peer));
  }
  /// The same, to be told later by whoever calls it: a copy that stands behind a peer's event is not at work, and a lane that
  /// seemed to be would hide a deadlock.
  CarriedCopy enqueue(void* to, const void* from, std::size_t bytes, int peer) {
    const bool told = *heard_ != nullptr;
    CarriedCopy one{name_, bytes, peer, told ? stream_->stamp() : nullptr, nullptr};
    stream_->copy(to, from, bytes);
    if (told) one.end = stream_->stamp();
    return one;
  }
  void tell(CarriedCopy one) {
    if (one.end != nullptr && *heard_ != nullptr) (*heard_)(std::move(one));
  }
  cudaStream_t get() const { return stream_->get(); }

 private:
  std::string name_;
  std::shared_ptr<gpu::Stream> stream_;
  std::shared_ptr<const Heard> heard_;
};

}  // namespace p2p::cuda
