// Three fights over the same data. A copy: send/recv against broadcast. A sum: gathered and sent out again, round a ring,
// by recursive doubling, by the library. And the unlike one that is so often fought: a copy against a sum.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "demos/p2p-vs-collective/sums.h"
#include "demos/p2p-vs-collective/traffic.h"
#include "demos/p2p/results.h"
#include "demos/p2p/rules.h"

using namespace p2p;

namespace {

struct Measured {
  double time_ns = 0;     ///< until the last rank has what it is to have; the median over all rounds
  double sent_bytes = 0, least_bytes = 0, total_bytes = 0;  ///< by the rank that sends most, by the one that sends least, by all
};

Measured measure(World& world, const Algorithm& algorithm, std::size_t count, int rounds) {
  Numbers numbers(world, count, algorithm.in_pieces);
  std::vector<double> times;
  Traffic traffic;
  for (int round = -1; round < rounds; ++round) {  // the first one warms up
    numbers.refill();
    world.barrier();
    const auto span = world.span(std::string(algorithm.id));
    const std::int64_t begin = world.now_ns();
    traffic = algorithm.run(world, numbers);
    finish(world);
    const auto time = static_cast<double>(world.now_ns() - begin);
    if (round >= 0) times.push_back(largest_of_all_ranks(world, time));
  }
  const bool takes_part = algorithm.id != "send" || world.rank() < 2;
  if (takes_part && numbers.error(algorithm.sums ? -1 : 0) != 0)
    throw std::runtime_error("'" + std::string(algorithm.id) + "' left wrong numbers.");
  let_lab_catch_up();
  const auto sent = of_all_ranks(world, static_cast<double>(traffic.sent_bytes));
  const auto [least, most] = std::minmax_element(sent.begin(), sent.end());
  if (*most == 0) return {median(times), std::nan(""), std::nan(""), std::nan("")};  // what the library sends inside is not seen from here
  return {median(times), *most, *least, std::accumulate(sent.begin(), sent.end(), 0.0)};
}

/// What a message of the ring costs before its bytes move. With t(n) = L + n/beta for the copy the ring's 2(p-1) steps of n/p
/// take 2(p-1) L + 2(p-1)/p n/beta, and two measurements give L. They must be of one kind: above the eager limit a message
/// asks first (rendezvous), and L is three one-way latencies instead of one. Not a number where they are not.
double latency_of_a_step(int ranks, double eager_limit, double bytes, double send_ns, double ring_ns) {
  const double p = ranks, steps = 2 * (p - 1), share = steps / p;
  const bool copy_asks = bytes > eager_limit, step_asks = bytes / p > eager_limit;
  const double latency = (ring_ns - share * send_ns) / (steps - share);
  return copy_asks == step_asks && latency > 0 ? latency : std::nan("");
}

struct Timed {
  std::string_view id;
  double time_ns = 0;
};

/// The ways of one size, the fastest first: which one wins there, and by how much.
void report_winners(World& world, std::int64_t bytes, std::vector<Timed> copies, std::vector<Timed> sums) {
  if (copies.empty() || sums.size() < 2) return;
  for (auto* ways : {&copies, &sums}) std::stable_sort(ways->begin(), ways->end(), [](const Timed& a, const Timed& b) { return a.time_ns < b.time_ns; });
  row(world, "winners", {{"bytes", bytes}, {"copy", copies[0].id}, {"sum", sums[0].id}, {"sum_ns", sums[0].time_ns}, {"next", sums[1].id},
                         {"next_times", sums[0].time_ns > 0 ? sums[1].time_ns / sums[0].time_ns : std::nan("")}});
}

void compare(World& world) {
  const auto variant = world.knob("variant", "all");
  const auto smallest = world.knob("min_bytes", 1 << 10), largest_size = world.knob("max_bytes", 4 << 20);
  const auto rounds = static_cast<int>(world.knob("iterations", 9));
  const auto eager_limit = static_cast<double>(world.measure_eager_limit());
  double least = 0, greatest = 0, ring_from = -1, largest = 0, step_latency = std::nan("");
  bool first = true;
  for (std::int64_t bytes = smallest; bytes <= largest_size; bytes *= 4) {
    double send_ns = 0, ring_ns = 0, doubling_ns = 0;
    std::vector<Timed> copies, sums;
    for (const Algorithm& algorithm : algorithms()) {
      if (variant != "all" && variant != algorithm.id) continue;
      const Measured m = measure(world, algorithm, static_cast<std::size_t>(bytes) / sizeof(float), rounds);
      if (algorithm.id == "send") send_ns = m.time_ns;
      if (algorithm.id == "ring") ring_ns = m.time_ns;
      if (algorithm.id == "doubling") doubling_ns = m.time_ns;
      if (world.rank() != 0) continue;
      // busbw as nccl-tests define it: what one link would have to carry.
      const double factor = algorithm.sums ? 2.0 * (world.size() - 1) / world.size() : 1;
      const double algbw = m.time_ns > 0 ? static_cast<double>(bytes) / m.time_ns * 1e9 : 0;
      const bool counted = std::isfinite(m.sent_bytes);
      const double sent = counted ? m.sent_bytes : least_of_busiest(algorithm.id, world.size(), static_cast<double>(bytes));
      row(world, "table", {{"bytes", bytes}, {"algorithm", algorithm.id}, {"time_ns", m.time_ns}, {"sent_bytes", sent}, {"sent_by", counted ? "counted" : "at-least"},
                           {"least_sent_bytes", m.least_bytes}, {"total_sent_bytes", m.total_bytes},
                           {"algbw_bytes_per_s", algbw}, {"busbw_bytes_per_s", algbw * factor}});
      (algorithm.sums ? sums : copies).push_back({algorithm.id, m.time_ns});
    }
    if (world.rank() == 0) report_winners(world, bytes, std::move(copies), std::move(sums));
    if (send_ns > 0 && ring_ns > 0) {
      const double ratio = ring_ns / send_ns;
      least = first ? ratio : std::min(least, ratio);
      greatest = std::max(greatest, ratio);
      largest = ratio;
      step_latency = latency_of_a_step(world.size(), eager_limit, static_cast<double>(bytes), send_ns, ring_ns);
      first = false;
    }
    // From where on the ring beats recursive doubling for good.
    if (ring_ns < doubling_ns && ring_from < 0) ring_from = static_cast<double>(bytes);
    if (ring_ns >= doubling_ns) ring_from = -1;
  }
  if (world.rank() != 0 || first) return;
  world.metric("ring_over_send_times", least);
  world.metric("ring_over_send_most_times", greatest);
  world.metric("ring_limit_times", 2.0 * (world.size() - 1) / world.size());
  world.metric("ring_latency_limit_times", 2.0 * (world.size() - 1));
  world.metric("ring_over_send_largest_times", largest);
  if (std::isfinite(step_latency)) {
    world.metric("ring_beyond_step_ns", step_latency);
    world.metric("ring_beyond_ns", 2 * (world.size() - 1) * step_latency);
  }
  if (ring_from >= 0) world.metric("ring_wins_from_bytes", ring_from);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, compare); }
