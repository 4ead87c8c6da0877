// A pipeline whose boundaries are messages between neighbours, against one whose stages all meet in an all-reduce after
// every slot, for more and more microbatches. Beside them what is really serial: one microbatch at a time.
#include <algorithm>
#include <array>
#include <set>

#include "demos/p2p/results.h"
#include "demos/pipeline/train.h"
#include "demos/why-not-allreduce/traffic.h"

using namespace p2p;
using p2plab::schedule::Generator;
using p2plab::schedule::Layout;
using p2plab::schedule::Shape;

namespace {

/// One way to run the pipeline: an order, and what carries its messages.
struct Case {
  std::string id, schedule, transport;
};
const std::array kCases{Case{"1f1b-p2p", "1f1b", "p2p"},
                        Case{"gpipe-p2p", "gpipe", "p2p"},
                        Case{"1f1b-bcast2", "1f1b", "bcast2"},
                        Case{"1f1b-allreduce", "allreduce-1f1b", "allreduce"},
                        Case{"gpipe-allreduce", "allreduce-gpipe", "allreduce"},
                        Case{"serial", "naive", "p2p"}};

// [transports]
/// What carries the messages of a case.
Carry carry_of(World& world, const Case& one, const Shape& shape, const Carry& two_rank_groups) {
  if (one.transport == "bcast2") return two_rank_groups;
  if (one.transport == "allreduce") return meetings(world, find_schedule(one.schedule), shape);
  return overlapped;
}
// [end]

// [sweep]
void sweep(World& world) {
  Settings settings = Settings::of(world);
  const std::string variant = world.knob("variant", "all");
  const int p = world.size(), most = settings.microbatches;
  std::set<int> counts{most};
  for (int m = 1; m < most; m *= 2) counts.insert(m);
  const Carry two_rank_groups = broadcasts(world, Layout({p, 1, 1}, p2plab::schedule::Placement::loop));

  int iteration = 0;
  double worst = 0;
  for (const int m : counts) {
    settings.microbatches = m;
    for (const Case& one : kCases) {
      if (variant != "all" && variant != one.transport) continue;
      const Generator& generator = find_schedule(one.schedule);
      const Carry carry = carry_of(world, one, {p, m, 1}, two_rank_groups);
      if (m == *counts.begin()) {  // threads and connections: once without any computation
        Settings idle = settings;
        idle.forward = idle.backward = std::chrono::nanoseconds(0);
        train_step(world, idle, generator, carry, "warm-up");
        ++iteration;
      }
      worst = std::max(worst, train_step(world, settings, generator, carry, one.id + " m" + std::to_string(m)));
      const auto expected = expected_step(settings, generator, p);
      if (world.rank() == 0)
        row(world, "table", {{"iteration", iteration}, {"microbatches", m}, {"case", one.id},
                             {"ideal_ratio", expected.bubble_ratio()}, {"expected_ns", expected.makespan},
                             {"sent_bytes", sent_bytes(one.transport, p, m, settings.bytes)}});
      ++iteration;
      let_lab_catch_up();
    }
  }
  if (world.rank() == 0) world.metric("grad_error", worst);
}
// [end]

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, sweep); }
