#include "app/report/quantity.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace p2plab::report {
namespace {

struct Unit {
  trace::Ns ns;
  const char* name;
};
constexpr std::array kUnits{Unit{1'000'000'000, "s"}, Unit{1'000'000, "ms"}, Unit{1'000, "µs"}, Unit{1, "ns"}};

const Unit& unit_for(trace::Ns magnitude) {
  for (const Unit& unit : kUnits)
    if (magnitude >= unit.ns) return unit;
  return kUnits.back();
}

/// Smallest of 1, 2, 5 × 10^k that is not below `least`.
trace::Ns step_at_least(double least) {
  trace::Ns decade = 1;
  while (true) {
    for (const trace::Ns factor : {1, 2, 5})
      if (static_cast<double>(decade * factor) >= least) return decade * factor;
    if (decade >= 1'000'000'000'000'000'000) return decade;
    decade *= 10;
  }
}

}  // namespace

std::string duration(trace::Ns ns) {
  const Unit& unit = unit_for(std::abs(ns));
  if (unit.ns == 1) return fmt::format("{} ns", ns);
  return fmt::format("{:.3f} {}", static_cast<double>(ns) / static_cast<double>(unit.ns), unit.name);
}

std::string bytes(std::uint64_t count) {
  if (count < 1024) return fmt::format("{} B", count);
  double value = static_cast<double>(count);
  const char* name = "B";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB"}) {
    if (value < 1024) break;
    value /= 1024;
    name = next;
  }
  if (value == std::floor(value)) return fmt::format("{:.0f} {}", value, name);
  return fmt::format("{:.1f} {}", value, name);
}

std::vector<Tick> ticks(trace::Ns begin, trace::Ns end, double pixels, double min_spacing, trace::Ns origin) {
  std::vector<Tick> out;
  begin -= origin;
  end -= origin;
  if (end <= begin || pixels <= 0) return out;
  const trace::Ns step = step_at_least(static_cast<double>(end - begin) * min_spacing / pixels);
  // One unit for the whole axis: that of the far end, unless the step would then show as 0.00….
  Unit unit = unit_for(std::max({std::abs(begin), std::abs(end), step}));
  while (step * 1000 < unit.ns) unit = unit_for(unit.ns / 1000);
  int decimals = 0;
  for (trace::Ns scale = unit.ns; step % scale != 0 && decimals < 9; scale /= 10) ++decimals;
  trace::Ns first = begin / step * step;
  if (first < begin) first += step;
  for (trace::Ns at = first; at <= end; at += step)
    out.push_back({at + origin, fmt::format("{:.{}f} {}", static_cast<double>(at) / static_cast<double>(unit.ns), decimals, unit.name)});
  return out;
}

}  // namespace p2plab::report
