// One clock for all ranks of a host: the invariant TSC where the kernel itself trusts it, CLOCK_MONOTONIC elsewhere.
#pragma once
#include <time.h>

#include <atomic>
#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace p2plab::trace {

using Ns = std::int64_t;      ///< nanoseconds from the run's start
using Ticks = std::uint64_t;  ///< raw clock reading, see ClockScale

/// CLOCK_MONOTONIC in ns.
inline Ns monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<Ns>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// True if the TSC is invariant and the kernel's own clock source.
bool tsc_is_trusted();

/// How ticks become ns: ns = (ticks - origin) * ns_per_tick. Made once per job and handed to every rank, so that all
/// ranks of a host share one line. `error_ns` bounds what the two anchors may be off by.
struct ClockScale {
  std::uint32_t uses_tsc = 0;
  Ticks origin = 0;
  double ns_per_tick = 1.0;
  Ns error_ns = 0;
  const std::atomic<Ns>* virtual_now = nullptr;  ///< a virtual clock's time, of this process; null where time is real

  Ns to_ns(Ticks ticks) const {
    return static_cast<Ns>(static_cast<double>(static_cast<std::int64_t>(ticks - origin)) * ns_per_tick);
  }
  /// Ticks now, in this scale's unit.
  Ticks now() const {
    if (virtual_now != nullptr) return static_cast<Ticks>(virtual_now->load(std::memory_order_relaxed));
#if defined(__x86_64__)
    if (uses_tsc != 0) return __rdtsc();
#endif
    return static_cast<Ticks>(monotonic_ns());
  }
  /// Measures the TSC against CLOCK_MONOTONIC over about 10 ms; the origin is now.
  static ClockScale calibrate();
};

}  // namespace p2plab::trace
