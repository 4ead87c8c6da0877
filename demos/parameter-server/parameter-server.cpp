// Gradients of all workers, added up by servers or round a ring; and servers that do not wait for everybody.
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "demos/p2p/results.h"
#include "demos/parameter-server/asynchronous.h"
#include "demos/parameter-server/synchronous.h"

using namespace p2p;

namespace {

void add_row(World& world, std::string_view table, std::string_view count, int n, const std::string& way, const Cost& cost) {
  if (world.rank() != 0) return;
  row(world, table, {{count, n}, {"way", way}, {"time_ns", cost.time_ns}, {"hottest_bytes", cost.hottest_bytes}, {"total_bytes", cost.total_bytes}});
}

/// 2, 3, 4, 6, 8, 12 … workers, and as many as there can be with a server and without.
std::set<int> numbers_of_workers(int ranks) {
  std::set<int> out{ranks - 1, ranks};
  for (int n = 2; n < ranks; n *= 2) {
    out.insert(n);
    if (n * 3 / 2 < ranks) out.insert(n * 3 / 2);
  }
  return out;
}

void synchronous(World& world) {
  const int p = world.size(), servers = static_cast<int>(world.knob("servers", 4)), chunks = static_cast<int>(world.knob("chunks", 4));
  const std::int64_t bytes = world.knob("bytes", 2 << 20);
  connect_all(world);
  Cost one, one_ring, sharded, whole_ring, equal, equal_ring, most, most_ring;  // each beside a ring of as many workers
  int one_workers = 0, equal_workers = 0, most_workers = 0;
  for (const int n : numbers_of_workers(p)) {
    const Cost round = ring(world, n, bytes);
    add_row(world, "growth", "workers", n, "ring", round);
    const Cost shards = shards_on_workers(world, n, n, bytes);
    add_row(world, "growth", "workers", n, "on-workers", shards);
    if (n == p) whole_ring = round, sharded = shards;
    for (int k = 1; k <= servers && n + k <= p; k *= 2) {
      const Cost cost = separate_servers(world, n, k, bytes, chunks);
      add_row(world, "growth", "workers", n, "servers-" + std::to_string(k), cost);
      if (k == 1) one = cost, one_ring = round, one_workers = n;
      if (k == n) equal = cost, equal_ring = round, equal_workers = n;
      if (2 * k > servers) most = cost, most_ring = round, most_workers = n;
    }
  }
  for (int s = 1;; s = std::min(2 * s, p)) {
    add_row(world, "shards", "shards", s, "on-workers", shards_on_workers(world, p, s, bytes));
    add_row(world, "shards", "shards", s, "ring", whole_ring);
    if (s == p) break;
  }
  if (world.rank() != 0) return;
  world.metric("server_workers", one_workers);
  world.metric("server_over_ring_times", one.time_ns / one_ring.time_ns);
  world.metric("server_hottest_bytes", one.hottest_bytes);
  world.metric("server_ring_hottest_bytes", one_ring.hottest_bytes);
  world.metric("server_ring_time_ns", one_ring.time_ns);
  world.metric("ring_workers", p);
  world.metric("sharded_over_ring_times", sharded.time_ns / whole_ring.time_ns);
  world.metric("sharded_hottest_bytes", sharded.hottest_bytes);
  world.metric("ring_hottest_bytes", whole_ring.hottest_bytes);
  world.metric("ring_time_ns", whole_ring.time_ns);
  if (most_workers > 0) {
    world.metric("most_servers_workers", most_workers);
    world.metric("most_servers_hottest_times", most.hottest_bytes / most_ring.hottest_bytes);
    world.metric("most_servers_total_times", most.total_bytes / most_ring.total_bytes);
  }
  if (equal_workers == 0) return;
  world.metric("equal_workers", equal_workers);
  world.metric("equal_over_ring_times", equal.time_ns / equal_ring.time_ns);
  world.metric("equal_hottest_times", equal.hottest_bytes / equal_ring.hottest_bytes);
  world.metric("equal_total_times", equal.total_bytes / equal_ring.total_bytes);
}

/// The update from which on the loss stays below a hundredth of what it was (what overshoots passes the optimum, too); NaN if
/// there is none.
double updates_to_a_hundredth(const std::vector<double>& losses) {
  std::size_t needed = losses.size();
  while (needed > 0 && losses[needed - 1] <= losses.front() / 100) --needed;
  return needed < losses.size() ? static_cast<double>(needed) : std::nan("");
}

void asynchronous(World& world, bool bounded) {
  const int server = world.size() - 1;
  AsyncOptions options;
  options.steps = static_cast<int>(world.knob("steps", 12));
  if (bounded) options.ahead = static_cast<int>(world.knob("ahead", 0));
  options.compute = std::chrono::microseconds(world.knob("compute_us", 4000));
  options.slow_compute = options.compute * world.knob("slow_percent", 100) / 100;
  options.rate = static_cast<float>(world.knob("rate_percent", 15)) / 100;
  options.bytes = world.knob("async_bytes", 65536);
  world.barrier();
  const std::int64_t begin = world.now_ns();
  const AsyncResult result = train(world, options);
  const double whole = largest_of_all_ranks(world, static_cast<double>(world.now_ns() - begin));
  const auto compute = of_all_ranks(world, static_cast<double>(result.compute_ns)), waiting = of_all_ranks(world, static_cast<double>(result.waiting_ns));
  if (world.rank() != server) return;
  for (std::size_t i = 0; i < result.staleness.counts().size(); ++i)
    row(world, "staleness", {{"staleness", std::to_string(i)}, {"count", result.staleness.counts()[i]}});
  for (int worker = 0; worker < server; ++worker) {
    const auto at = static_cast<std::size_t>(worker);
    row(world, "workers", {{"worker", "rank " + std::to_string(worker)}, {"compute_ns", compute[at]}, {"waiting_ns", waiting[at]}});
  }
  std::vector<double> serial{result.losses.front()};  // one worker alone: every step takes the rate off the distance
  while (serial.size() < result.losses.size()) serial.push_back(serial.back() * std::pow(1 - static_cast<double>(options.rate), 2));
  for (std::size_t i = 0; i < result.losses.size(); ++i)
    for (const bool alone : {false, true})
      row(world, "losses", {{"update", i}, {"way", alone ? "serial" : "served"}, {"loss", (alone ? serial : result.losses)[i]}});
  world.metric("staleness_mean", result.staleness.mean());
  world.metric("staleness_largest", result.staleness.largest());
  if (options.ahead) world.metric("staleness_limit", largest_staleness(server, *options.ahead));
  if (options.ahead) world.metric("held_count", result.held);
  world.metric("push_count", server * options.steps);
  world.metric("workers_less_one", server - 1);
  const double needed = updates_to_a_hundredth(result.losses), needed_alone = updates_to_a_hundredth(serial);
  if (std::isfinite(needed)) world.metric("updates_needed", needed);
  if (std::isfinite(needed_alone)) world.metric("updates_needed_alone", needed_alone);
  world.metric("whole_ns", whole);
}

void serve_all(World& world) {
  const auto variant = world.knob("variant", "sync");
  if (variant == "sync") return synchronous(world);
  if (variant == "async" || variant == "bounded") return asynchronous(world, variant == "bounded");
  throw std::runtime_error("The demo parameter-server has no variant '" + variant + "'; see p2plab demos.");
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, serve_all); }
