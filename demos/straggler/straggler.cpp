// One rank computes slower than the others. Who waits for it depends on who talks to whom: all, a neighbour, a partner.
#include <array>
#include <map>
#include <stdexcept>
#include <string>

#include "demos/p2p/results.h"
#include "demos/p2p/rules.h"
#include "demos/p2p/world.h"
#include "demos/straggler/waits.h"

using namespace p2p;

namespace {

struct Buffers {
  Tensor out, in;
};

// [all-reduce]
void all_reduce(World& world, Buffers& data) {
  world.all_reduce(data.out);  // nobody has the sum before the last rank has come
}
// [end]

// [broadcast]
void broadcast(World& world, Buffers& data) {
  world.broadcast(data.out, 0);  // rank 0 has all that it needs: a small one is sent, and it goes on
}
// [end]

// [chain]
void chain(World& world, Buffers& data) {
  std::vector<P2POp> ops;
  if (world.rank() + 1 < world.size()) ops.push_back({P2POp::Type::isend, data.out, world.rank() + 1});
  if (world.rank() > 0) ops.push_back({P2POp::Type::irecv, data.in, world.rank() - 1});
  world.batch_isend_irecv(ops).wait();  // for the neighbour alone, but it waited for its neighbour
}
// [end]

// [pairs]
void pairs(World& world, Buffers& data) {
  const int partner = world.rank() ^ 1;
  if (partner >= world.size()) return;
  const std::array<P2POp, 2> both{{{P2POp::Type::isend, data.out, partner}, {P2POp::Type::irecv, data.in, partner}}};
  world.sendrecv(both);
}
// [end]

using Communicate = void (*)(World&, Buffers&);
const std::map<std::string, Communicate, std::less<>> kVariants{{"all-reduce", all_reduce}, {"broadcast", broadcast}, {"chain", chain}, {"pairs", pairs}};

void steps(World& world) {
  const auto variant = kVariants.find(world.knob("variant", "all-reduce"));
  if (variant == kVariants.end()) throw std::runtime_error("The demo straggler has no variant '" + world.knob("variant", "all-reduce") + "'; see p2plab demos.");
  const auto slow = static_cast<int>(world.knob("slow_rank", 1));
  if (slow >= world.size()) throw std::runtime_error("slow_rank = " + std::to_string(slow) + ": the ranks are 0 to " + std::to_string(world.size() - 1) + ".");
  const auto count = static_cast<int>(world.knob("steps", 8));
  const auto bytes = static_cast<std::int64_t>(world.knob("bytes", 4096));
  const std::chrono::microseconds normal(world.knob("compute_us", 4000));
  const auto own = world.rank() == slow ? normal * world.knob("slow_percent", 150) / 100 : normal;
  const std::uint64_t eager_limit = world.measure_eager_limit();
  if (world.rank() == 0) world.metric("eager_limit_bytes", static_cast<double>(eager_limit));
  const bool held = static_cast<std::uint64_t>(bytes) > eager_limit || world.strict();

  Buffers data{Tensor::zeros({std::max<std::int64_t>(bytes / 4, 1)}), Tensor::zeros({std::max<std::int64_t>(bytes / 4, 1)})};
  Stream compute = world.stream("compute");
  compute.synchronize();  // its thread has begun
  variant->second(world, data);  // connections are made
  world.barrier();
  std::vector<Stay> stays;
  const std::int64_t begin = world.now_ns();
  for (int i = 0; i < count; ++i) {
    world.compute({Kind::compute, world.rank() == slow ? "slow step" : "step", i}, own, {});
    compute.synchronize();
    Stay stay;
    stay.enter = world.now_ns();
    variant->second(world, data);
    finish(world);
    stay.leave = world.now_ns();
    stays.push_back(stay);
  }
  const std::int64_t end = world.now_ns();

  Split total;
  for (const Stay& stay : stays) {
    const auto enters = of_all_ranks(world, static_cast<double>(stay.enter - begin)), leaves = of_all_ranks(world, static_cast<double>(stay.leave - begin));
    std::vector<Stay> all;
    // The ranks left the barrier almost together: their clocks are compared from there.
    for (std::size_t r = 0; r < enters.size(); ++r) all.push_back({static_cast<std::int64_t>(enters[r]), static_cast<std::int64_t>(leaves[r])});
    const Split one = split(variant->first, world.rank(), all, held);
    total.waiting_ns += one.waiting_ns;
    total.transfer_ns += one.transfer_ns;
  }
  const auto waiting = of_all_ranks(world, static_cast<double>(total.waiting_ns)), transfer = of_all_ranks(world, static_cast<double>(total.transfer_ns));
  const double whole = largest_of_all_ranks(world, static_cast<double>(end - begin));
  if (world.rank() != 0) return;
  const auto normal_ns = static_cast<double>(std::chrono::nanoseconds(normal).count()), lateness = normal_ns * static_cast<double>(world.knob("slow_percent", 150) - 100) / 100;
  int waiting_ranks = 0;
  double sum = 0;
  for (int r = 0; r < world.size(); ++r) {
    const auto at = static_cast<std::size_t>(r);
    row(world, "ranks", {{"rank", "rank " + std::to_string(r)},
                         {"compute_ns", normal_ns * count + (r == slow ? lateness * count : 0)},
                         {"waiting_ns", waiting[at]},
                         {"transfer_ns", transfer[at]}});
    if (r == slow) continue;
    sum += waiting[at];
    if (lateness > 0 && waiting[at] > 0.5 * lateness * count) ++waiting_ranks;
  }
  world.metric("waiting_ranks", waiting_ranks);
  world.metric("waiting_ns", world.size() > 1 ? sum / (world.size() - 1) / count : 0);
  world.metric("lateness_ns", lateness);
  world.metric("whole_ns", whole);
  if (normal_ns > 0) world.metric("slowdown_times", whole / (normal_ns * count));
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, steps); }
