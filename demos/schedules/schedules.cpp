// The same model under one schedule after the other: what each costs in time, in memory and in messages, and what becomes
// of it when a message takes time.
#include <algorithm>
#include <array>

#include "demos/p2p/results.h"
#include "demos/pipeline/train.h"

using namespace p2p;
using Ns = std::chrono::nanoseconds;
using p2plab::schedule::Generator;
using p2plab::schedule::Placement;

namespace {

constexpr std::array kSchedules{"naive", "gpipe", "1f1b", "eager-1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "zb-v"};

/// What runs once is slower: threads, connections, memory touched for the first time. So each schedule first runs without
/// any computation.
void warm_up(World& world, Settings settings, const Generator& generator, const Carry& carry) {
  settings.forward = settings.backward = Ns(0);
  train_step(world, settings, generator, carry, "warm-up");
}

// [schedules]
void compare(World& world) {
  const Settings settings = Settings::of(world);
  const std::string variant = world.knob("variant", "all");
  const Ns latency = settings.forward * world.knob("latency_percent", 100) / 100;
  int iteration = 0;  // every step is one in the trace, the warm-up too
  double worst = 0;
  for (const Ns one_way : {Ns(0), latency}) {
    const bool on = one_way.count() > 0;
    if (!on && iteration > 0) break;  // no latency was asked for
    for (const std::string id : kSchedules) {
      if (variant != "all" && variant != id) continue;
      const Generator& generator = find_schedule(id);
      const bool vee = generator.placement == Placement::vee;
      // Without tags the messages of two chunks between the same two stages would be taken for each other.
      if (vee && world.nccl_semantics()) continue;
      warm_up(world, settings, generator, in_lanes(vee));
      worst = std::max(worst, train_step(world, settings, generator, in_lanes(vee, one_way), on ? id + ", latency" : id));
      // What the simulator says of the same step; what was measured stands in the trace, and the lab adds it.
      const auto expected = expected_step(settings, generator, world.size(), one_way);
      if (world.rank() == 0)
        row(world, "table", {{"iteration", iteration + 1}, {"schedule", id}, {"latency", on ? "on" : "off"},
                             {"ideal_ratio", expected.bubble_ratio()}, {"expected_ns", expected.makespan}});
      iteration += 2;
      let_lab_catch_up();
    }
  }
  if (world.rank() != 0) return;
  world.metric("latency_ns", static_cast<double>(latency.count()));
  world.metric("grad_error", worst);
}
// [end]

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, compare); }
