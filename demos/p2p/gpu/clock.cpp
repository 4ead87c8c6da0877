// Anchors between the GPU's clock and the host's.
#include "demos/p2p/gpu/clock.h"

#include <algorithm>
#include <cmath>

namespace p2p::gpu {
namespace {

constexpr int kTries = 20;
constexpr std::int64_t kEveryNs = 1'000'000'000;
constexpr std::int64_t kPatienceNs = 50'000'000;  ///< of one try; a GPU that others keep busy

}  // namespace

Clock::Clock() : stream_(make_stream()) {}

void Clock::start(const p2plab::trace::ClockScale& clock) {
  scale_ = clock;
  anchor();
}

void Clock::anchor() {
  using p2plab::trace::monotonic_ns;
  Anchor best;
  for (int i = 0; i < kTries; ++i) {
    cudaEvent_t raw = nullptr;
    check(cudaEventCreateWithFlags(&raw, cudaEventDefault), "cudaEventCreateWithFlags");
    EventHandle event(raw);
    const std::int64_t begin_ns = monotonic_ns();
    const p2plab::trace::Ticks begin = scale_.now();
    check(cudaEventRecord(raw, stream_.get()), "cudaEventRecord");
    while (!query(raw)) {
      if (monotonic_ns() - begin_ns > kPatienceNs && best.event != nullptr) break;
    }
    const p2plab::trace::Ticks end = scale_.now();
    const std::int64_t error = (monotonic_ns() - begin_ns) / 2;
    if (best.event == nullptr || error < best.error_ns) best = {std::move(event), begin + (end - begin) / 2, error};
  }
  const std::lock_guard lock(mutex_);
  anchor_ = std::move(best);
  worst_ns_ = std::max(worst_ns_, anchor_.error_ns);
  anchored_ns_ = monotonic_ns();
}

void Clock::keep() {
  if (p2plab::trace::monotonic_ns() - anchored_ns_ >= kEveryNs) anchor();
}

p2plab::trace::Ticks Clock::when(cudaEvent_t event) const {
  const std::lock_guard lock(mutex_);
  float ms = 0;
  check(cudaEventElapsedTime(&ms, anchor_.event.get(), event), "cudaEventElapsedTime");
  const double ticks = static_cast<double>(ms) * 1e6 / scale_.ns_per_tick;
  return anchor_.ticks + static_cast<p2plab::trace::Ticks>(std::llround(ticks));
}

std::int64_t Clock::worst_error_ns() const {
  const std::lock_guard lock(mutex_);
  return worst_ns_;
}

}  // namespace p2p::gpu
