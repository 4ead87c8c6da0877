// Quantities as people read them: times, sizes, and the ticks of a time axis.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/trace/clock.h"

namespace p2plab::report {

/// "640 ns", "41.250 µs", "1.804 ms", "2.500 s": four to six figures, the unit by size.
std::string duration(trace::Ns ns);
/// "512 B", "64 KiB", "1.5 MiB".
std::string bytes(std::uint64_t count);

struct Tick {
  trace::Ns at = 0;
  std::string label;
};

/// Ticks inside [begin, end] at 1-2-5 steps from `origin`, which is labelled 0; at least `min_spacing` pixels apart, all in
/// one unit.
std::vector<Tick> ticks(trace::Ns begin, trace::Ns end, double pixels, double min_spacing = 70, trace::Ns origin = 0);

}  // namespace p2plab::report
