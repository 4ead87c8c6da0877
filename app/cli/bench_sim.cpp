// p2plab bench sim: actions that the virtual clock makes in a second of one core, and how time and memory grow with p and m.
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/bench.h"
#include "app/cli/show_sim.h"
#include "app/schedule/engine.h"

namespace p2plab::cli {
namespace {

using namespace schedule;

constexpr double kPlain = 5e6, kContended = 2e6;  ///< actions that are promised for a second of one core

struct Measured {
  std::string schedule;
  int p = 0, m = 0;
  bool contention = false, asks = false;  ///< messages share ports; they are above the eager limit
  std::int64_t actions = 0;
  double per_s = 0, per_cpu_s = 0;
  std::int64_t peak_rss_bytes = 0;
};

/// What this thread has had of a core so far: with others on the machine a second on the wall is not a second of one core.
double cpu_seconds() {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) / 1e9;
}

/// The best of a few runs: what the machine is busy with besides only adds.
Measured measure(const char* id, int p, int m, bool contention, double seconds, bool asks = false) {
  const Generator& one = generator(id);
  Costs costs;
  costs.times = {{1'000'000, 1'000'000, 1'000'000}};
  if (contention) {
    costs.link.latency_ns = 5000;
    costs.link.bytes = 1 << 20;
    costs.link.bytes_per_s = 5e10;
  }
  if (asks) {
    costs.link.latency_ns = 5000;
    costs.link.bytes = 1 << 20;
    costs.link.eager_limit = 1 << 16;
  }
  const Program program(one, {.shape = {p, m, one.chunks}});
  Measured out{id, p, m, contention, asks, 0, 0, 0, 0};
  const auto begin = std::chrono::steady_clock::now();
  const auto since = [](auto instant) { return std::chrono::duration<double>(std::chrono::steady_clock::now() - instant).count(); };
  do {
    const auto start = std::chrono::steady_clock::now();
    const double before = cpu_seconds();
    const Simulated simulated = simulate(program, costs);
    out.actions = simulated.actions;
    out.per_s = std::max(out.per_s, static_cast<double>(simulated.actions) / since(start));
    out.per_cpu_s = std::max(out.per_cpu_s, static_cast<double>(simulated.actions) / std::max(cpu_seconds() - before, 1e-9));
  } while (since(begin) < seconds);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  out.peak_rss_bytes = usage.ru_maxrss * 1024;
  return out;
}

}  // namespace

int bench_sim(const content::Text& text, const BenchOptions& options) {
  std::vector<Measured> all;
  const double each = options.seconds / 10;
  for (const int p : {16, 256, 1024, 16384}) all.push_back(measure("1f1b", p, 4096 * 16 / p + 64, false, each));  // ascending: the peak of memory only grows
  for (const int m : {1024, 8192}) all.push_back(measure("1f1b", 1024, m, false, each));
  for (const int m : {1024, 8192}) all.push_back(measure("1f1b", 1024, m, true, each));
  for (const char* id : {"gpipe", "interleaved-1f1b", "zb-h1", "zb-v"}) all.push_back(measure(id, 256, 1024, false, each));

  for (const int p : {64, 256}) all.push_back(measure("1f1b", p, 4096, false, each, true));
  all.push_back(measure("1f1b", 256, 4096, true, each, true));

  bool met = true;
  std::string missed;
  std::vector<std::vector<std::string>> rows{{text("bench-sim.schedule"), "p", "m", text("bench-sim.contention"), text("bench-sim.asks"), text("bench-sim.actions"), text("bench-sim.rate"), text("bench-sim.memory")}};
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Measured& one : all) {
    const double promised = one.contention ? kContended : kPlain;
    if (one.per_cpu_s < promised) {
      met = false;
      missed += text("bench-sim.missed", {{"schedule", one.schedule}, {"p", std::to_string(one.p)}, {"m", std::to_string(one.m)},
                                          {"rate", fmt::format("{:.1f}", one.per_cpu_s / 1e6)}, {"limit", fmt::format("{:.0f}", promised / 1e6)}}) + "\n";
    }
    rows.push_back({one.schedule, std::to_string(one.p), std::to_string(one.m), one.contention ? text("bench-sim.yes") : "", one.asks ? text("bench-sim.yes") : "", std::to_string(one.actions),
                    fmt::format("{:.1f}", one.per_cpu_s / 1e6), fmt::format("{:.1f}", static_cast<double>(one.peak_rss_bytes) / (1 << 20))});
    list.push_back({{"schedule", one.schedule}, {"p", one.p}, {"m", one.m}, {"contention", one.contention}, {"above_eager_limit", one.asks}, {"actions", one.actions},
                    {"actions_per_s", one.per_s}, {"actions_per_cpu_s", one.per_cpu_s}, {"peak_rss_bytes", one.peak_rss_bytes}});
  }
  const nlohmann::ordered_json json{{"schema", "p2plab.bench/1"}, {"bench", "sim"}, {"runs", std::move(list)}, {"target_actions_per_cpu_s", kPlain},
                                    {"target_contended_actions_per_cpu_s", kContended}, {"met", met},
                                    {"machine", {{"cores", std::thread::hardware_concurrency()}}}};
  print_bench(options, table(rows) + missed, json.dump());
  return met ? 0 : 1;
}

}  // namespace p2plab::cli
