// See costs.h.
#include "app/schedule/costs.h"

#include <cmath>
#include <cstdlib>

#include "app/trace/error.h"

namespace p2plab::schedule {

Ns add(Ns a, Ns b) {
  Ns sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw Error("sim.overflow");
  return sum;
}

namespace {

Ns times(Ns a, Ns b) {
  Ns product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw Error("sim.overflow");
  return product;
}

Ns on_wire(double bytes, double bytes_per_s) {
  if (bytes_per_s <= 0) return 0;
  const double ns = bytes / bytes_per_s * 1e9;
  if (!(ns < 9.2e18)) throw Error("sim.overflow");
  return static_cast<Ns>(std::llround(ns));
}

}  // namespace

Ns share(Ns whole, int index, int parts) {
  const Ns rest = whole % parts;
  return whole / parts + rest * (index + 1) / parts - rest * index / parts;
}

Ns LinkCost::wire_ns() const { return on_wire(static_cast<double>(bytes), bytes_per_s); }

Ns LinkCost::delay_ns(int from, int to) const {
  if (from == to) return 0;
  const Ns handshake = asks() ? times(2, latency_ns) : 0;
  const Ns hops = times(hop_ns, std::abs(to - from) - 1);
  return add(add(add(latency_ns, hops), handshake), wire_ns());
}

Ns LinkCost::meeting_ns(int stages) const {
  const double part = 2.0 * (stages - 1) / stages;
  return add(times(2 * (stages - 1), latency_ns), on_wire(part * static_cast<double>(bytes), bytes_per_s));
}

const StageTime& Costs::of(int stage, int microbatch, int stages) const {
  if (times.size() == 1) return times[0];
  if (times.size() == static_cast<std::size_t>(stages)) return times[static_cast<std::size_t>(stage)];
  const std::size_t microbatches = times.size() / static_cast<std::size_t>(stages);
  return times[static_cast<std::size_t>(stage) * microbatches + static_cast<std::size_t>(microbatch)];
}

}  // namespace p2plab::schedule
