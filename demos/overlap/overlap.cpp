// Rank 0 and rank 1 exchange n bytes while they compute. Whether the one hides the other is decided by who makes
// progress meanwhile. Tc runs from a fraction of the transfer's time to several times it.
#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "demos/overlap/bound.h"
#include "demos/p2p/results.h"
#include "demos/p2p/rules.h"
#include "demos/p2p/world.h"

using namespace p2p;
using Ns = std::chrono::nanoseconds;

namespace {

struct Buffers {
  Tensor out, in;
};

int partner(const World& world) { return world.rank() ^ 1; }
bool alone(const World& world) { return partner(world) >= world.size(); }

/// Computes on the calling thread, which calls nothing of the communication library meanwhile. On a GPU, and under NCCL's
/// rules, it is the stream `compute` that computes; under MPI's the calling thread waits for it.
void compute_here(World& world, const Buffers& data, Ns time) {
  if (data.out.on_device() || world.nccl_semantics()) {
    world.launch({}, time, {});
    if (!world.nccl_semantics()) world.stream("compute").synchronize();
    return;
  }
  const auto span = world.span("compute", Kind::compute);
  world.pause(time, "compute");
}

std::array<P2POp, 2> both_ways(World& world, Buffers& data) {
  return {{{P2POp::Type::isend, data.out, partner(world)}, {P2POp::Type::irecv, data.in, partner(world)}}};
}

// [blocking]
void blocking(World& world, Buffers& data, Ns compute) {
  world.sendrecv(both_ways(world, data));  // first the one,
  compute_here(world, data, compute);            // then the other
}
// [end]

/// Both messages posted: one by one, or as the group that NCCL wants for what must progress together.
std::vector<Work> post_both(World& world, Buffers& data) {
  if (world.nccl_semantics()) return {world.batch_isend_irecv(both_ways(world, data))};
  return {world.irecv(data.in, partner(world)), world.isend(data.out, partner(world))};
}

// [isend]
void isend_alone(World& world, Buffers& data, Ns compute) {
  std::vector<Work> messages = post_both(world, data);
  compute_here(world, data, compute);  // nobody calls the library: what needs its help stands still
  world.wait_all(messages);      // and moves only now
}
// [end]

// [polling]
void polling(World& world, Buffers& data, Ns compute) {
  std::vector<Work> messages = post_both(world, data);
  constexpr int kPieces = 32;
  for (int piece = 0; piece < kPieces; ++piece) {
    compute_here(world, data, compute / kPieces);
    if (!messages.front().is_completed()) messages.back().is_completed();  // a test makes progress
  }
  world.wait_all(messages);
}
// [end]

// [progress-thread]
void progress_thread(World& world, Buffers& data, Ns compute) {
  std::vector<Work> messages = post_both(world, data);
  Stream progress = world.stream("progress");  // a thread that only tests, as a library's own would
  world.compute({Kind::other, "test until both are done"}, Ns(0), [&messages] {
    for (const Work& message : messages)
      while (!message.is_completed()) std::this_thread::yield();
  }, &progress);
  compute_here(world, data, compute);
  progress.synchronize();
  world.wait_all(messages);
}
// [end]

// [comm-stream]
void comm_stream(World& world, Buffers& data, Ns compute) {
  const Stream comm = world.stream("comm");  // its thread waits for the messages, and so makes progress
  Work exchange = world.batch_isend_irecv(both_ways(world, data), &comm);
  compute_here(world, data, compute);
  exchange.wait();
}
// [end]

using Variant = void (*)(World&, Buffers&, Ns);
const std::map<std::string, Variant, std::less<>> kVariants{{"blocking", blocking}, {"isend", isend_alone}, {"polling", polling}, {"progress-thread", progress_thread}, {"comm-stream", comm_stream}};
/// What the headline calls the gain of each.
const std::map<std::string, std::string_view, std::less<>> kGains{{"isend", "isend_gain_times"}, {"polling", "polling_gain_times"}, {"progress-thread", "thread_gain_times"}, {"comm-stream", "stream_gain_times"}};

/// Who tests is a thread of the host's, and has nothing to say to streams that move their messages by themselves.
bool runs_here(World& world, const std::string& name, const Buffers& data) {
  return name != "progress-thread" || !(data.out.on_device() || world.nccl_semantics());
}

/// Until the slowest rank is done; the median of some rounds.
double time_of(World& world, Variant variant, Buffers& data, Ns compute, int rounds) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    world.barrier();
    const std::int64_t begin = world.now_ns();
    if (!alone(world)) variant(world, data, compute);
    finish(world);
    times.push_back(largest_of_all_ranks(world, static_cast<double>(world.now_ns() - begin)));
  }
  return median(times);
}

void sweep(World& world) {
  const auto chosen = world.knob("variant", "all");
  const auto bytes = static_cast<std::size_t>(world.knob("bytes", 16 << 20));
  const auto rounds = static_cast<int>(world.knob("iterations", 5));
  if (chosen != "all" && !kVariants.contains(chosen)) throw std::runtime_error("The demo overlap has no variant '" + chosen + "'; see p2plab demos.");
  Buffers data{Tensor::bytes_of(bytes, std::byte{1}), Tensor::bytes_of(bytes)};
  for (const auto& [name, variant] : kVariants)
    if (runs_here(world, name, data)) time_of(world, variant, data, Ns(0), 1);  // connections, threads, memory

  const double transfer = time_of(world, blocking, data, Ns(0), rounds);
  if (world.rank() == 0) world.metric("transfer_ns", transfer);
  const auto only = static_cast<int>(world.knob("compute_percent", 0));
  const std::vector<int> ratios = only > 0 ? std::vector{only} : std::vector{10, 20, 50, 100, 200, 500, 1000};
  const int headline = only > 0 ? only : 100;  // of this ratio are the numbers above the table
  double best = 0, headline_bound = 0;
  for (const int percent : ratios) {
    const double compute = transfer * percent / 100;
    const Ns time(static_cast<std::int64_t>(compute));
    // What is compared with is measured, not computed: the same calls one after the other.
    const double serial = time_of(world, blocking, data, time, rounds);
    const double limit = bound(compute, serial - compute);
    if (world.rank() == 0)
      row(world, "table", {{"compute_times", percent / 100.0}, {"variant", "bound"}, {"time_ns", std::max(compute, serial - compute)}, {"gain_times", limit}});
    for (const auto& [name, variant] : kVariants) {
      if (name == "blocking" || (chosen != "all" && chosen != name) || !runs_here(world, name, data)) continue;
      const double taken = time_of(world, variant, data, time, rounds), gain = taken > 0 ? serial / taken : 1;
      if (percent == headline) {
        if (world.rank() == 0) world.metric(kGains.at(name), gain);
        best = std::max(best, gain);
        headline_bound = limit;
      }
      if (world.rank() == 0)
        row(world, "table", {{"compute_times", percent / 100.0}, {"variant", name}, {"time_ns", taken}, {"gain_times", gain},
                             {"hidden_ratio", hidden_share(compute, serial - compute, taken)}});
    }
    let_lab_catch_up();
  }
  if (!alone(world) && data.in.host().bytes().back() != std::byte{1}) throw std::runtime_error("The message arrived with wrong bytes.");
  if (world.rank() != 0) return;
  world.metric("best_gain_times", best);
  world.metric("bound_times", headline_bound);
  world.metric("headline_times", headline / 100.0);
  for (const int exposed : {5, 9, 13, 17, 25, 33, 50})
    row(world, "exposed", {{"exposed_ratio", exposed / 100.0}, {"gain_times", speed_up(exposed / 100.0)}});
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, sweep); }
