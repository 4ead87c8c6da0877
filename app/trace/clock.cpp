// The TSC against CLOCK_MONOTONIC.
#include "app/trace/clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <fstream>
#include <string>

namespace p2plab::trace {
namespace {

#if defined(__x86_64__)
bool tsc_is_invariant() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 &&
         (d & (1u << 8)) != 0;  // "invariant TSC", AMD and Intel manuals
}

struct Anchor {
  Ticks tsc = 0;
  Ns ns = 0;
  Ns width = 0;  ///< the bracket: the TSC was read somewhere inside it
};

Anchor best_anchor() {
  Anchor best;
  best.width = 1'000'000'000;
  for (int i = 0; i < 20; ++i) {
    const Ns before = monotonic_ns();
    const Ticks tsc = __rdtsc();
    const Ns after = monotonic_ns();
    if (after - before < best.width) best = {tsc, before + (after - before) / 2, after - before};
  }
  return best;
}
#endif

}  // namespace

bool tsc_is_trusted() {
#if defined(__x86_64__)
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  return (file >> source) && source == "tsc" && tsc_is_invariant();
#else
  return false;
#endif
}

ClockScale ClockScale::calibrate() {
  ClockScale scale;
#if defined(__x86_64__)
  if (tsc_is_trusted()) {
    const Anchor first = best_anchor();
    const Ns until = first.ns + 10'000'000;
    while (monotonic_ns() < until) {
    }
    const Anchor second = best_anchor();
    scale.uses_tsc = 1;
    scale.ns_per_tick = static_cast<double>(second.ns - first.ns) / static_cast<double>(second.tsc - first.tsc);
    scale.origin = __rdtsc();
    scale.error_ns = std::max(first.width, second.width);
    return scale;
  }
#endif
  scale.origin = static_cast<Ticks>(monotonic_ns());
  return scale;
}

}  // namespace p2plab::trace
