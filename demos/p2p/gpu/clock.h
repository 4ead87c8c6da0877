// The GPU's time on the host's clock: an event is recorded between two looks at the host's clock, again and again, and
// other events are placed by their distance from it. The error is half the time between the looks; it is kept.
#pragma once
#include <deque>
#include <memory>
#include <mutex>

#include "demos/p2p/gpu/cuda.h"

namespace p2p::gpu {

class Clock {
 public:
  Clock();
  void start(const p2plab::trace::ClockScale& clock);
  /// Ties the clocks again once a second has passed: the oscillators drift, and a float of milliseconds is coarse far
  /// from its anchor.
  void keep();
  /// When the GPU came to a recorded timing event that is done.
  p2plab::trace::Ticks when(cudaEvent_t event) const;
  std::int64_t worst_error_ns() const;

 private:
  struct Anchor {
    EventHandle event;
    p2plab::trace::Ticks ticks = 0;
    std::int64_t error_ns = 0;
  };
  void anchor();
  p2plab::trace::ClockScale scale_;
  StreamHandle stream_;
  mutable std::mutex mutex_;
  Anchor anchor_;
  std::int64_t anchored_ns_ = 0;
  std::int64_t worst_ns_ = 0;
};

}  // namespace p2p::gpu
