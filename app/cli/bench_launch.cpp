// p2plab bench launch: how fast a running job of four ranks is gone when it is cancelled, and how fast what a killed rank
// had recorded is seen.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/check/demo_run.h"
#include "app/cli/bench.h"
#include "app/launch/process_tree.h"
#include "app/trace/feed_reader.h"

namespace p2plab::cli {

namespace {

constexpr int kRanks = 4, kKilled = 2, kRuns = 11;
constexpr double kCancelLimit = 200, kKillLimit = 100, kGiveUp = 10'000;  ///< ms

double ms(trace::Ns ns) { return static_cast<double>(ns) / 1e6; }

int spans_of(const trace::Trace& trace, int rank) {
  int count = 0;
  for (std::size_t id = 0; id < trace.spans().size(); ++id) count += trace.rank_of(static_cast<trace::SpanId>(id)) == rank;
  return count;
}

void poll_until(check::DemoRun& run, const std::function<bool()>& enough) {
  while (!run.finished() && !enough()) {
    run.poll();
    std::this_thread::sleep_for(trace::kLookEvery);
  }
}

/// A step of many microbatches, which would go on for seconds, with all its ranks at work.
std::unique_ptr<check::DemoRun> working(const launch::Installation& installation, const check::DemoManifest& demo) {
  check::RunRequest request;
  request.demo = demo.id;
  request.ranks = kRanks;
  request.knobs = {{"microbatches", "32"}, {"iterations", "10"}};
  auto run = std::make_unique<check::DemoRun>(installation, demo, check::complete(demo, request));
  poll_until(*run, [&] {
    for (int rank = 0; rank < kRanks; ++rank)
      if (spans_of(run->trace(), rank) < 20) return false;
    return true;
  });
  if (run->finished()) throw Error("bench-launch.failed", {{"last", run->output(0, true).text()}}, 3);
  return run;
}

/// From the order to the end of the last process but the one that keeps the job's records.
double cancel_ms(const launch::Installation& installation, const check::DemoManifest& demo) {
  const auto run = working(installation, demo);
  const trace::Ns begin = trace::monotonic_ns();
  run->cancel();
  double taken = 0;
  do {
    taken = ms(trace::monotonic_ns() - begin);
    if (launch::descendants_of(::getpid()).size() <= 1) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  } while (taken < kGiveUp);
  poll_until(*run, [] { return false; });
  return taken;
}

/// From SIGKILL of a rank to its last span in the trace.
double kill_ms(const launch::Installation& installation, const check::DemoManifest& demo) {
  const auto run = working(installation, demo);
  pid_t rank = 0;  // the innermost of those that Hydra has numbered so
  for (const pid_t pid : launch::descendants_of(::getpid()))
    if (launch::has_environment(pid, "PMI_RANK=" + std::to_string(kKilled))) rank = pid;
  if (rank == 0) throw Error("bench-launch.failed", {{"last", "PMI_RANK"}}, 3);
  int known = spans_of(run->trace(), kKilled);
  const trace::Ns begin = trace::monotonic_ns();
  trace::Ns last = begin;
  ::kill(rank, SIGKILL);
  poll_until(*run, [&] {
    const int now = spans_of(run->trace(), kKilled);
    if (now > known) last = trace::monotonic_ns();
    known = now;
    return false;
  });
  return ms(last - begin);
}

}  // namespace

int bench_launch(const content::Text& text, const BenchOptions& options) {
  const auto installation = launch::Installation::find();
  const auto demo = check::load_demo(installation.share() / "demos" / "pipeline");
  std::string table;
  bool met = true;
  nlohmann::ordered_json json = {{"schema", "p2plab.bench/1"}, {"bench", "launch"}, {"ranks", kRanks}, {"runs", kRuns}};
  const auto measure = [&](const char* name, double limit, const auto& one) {
    std::vector<double> times;
    for (int i = 0; i < kRuns; ++i) times.push_back(one(installation, demo));
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2], worst = times.back();
    met = met && median <= limit;
    json[name] = {{"median_ms", median}, {"worst_ms", worst}, {"limit_ms", limit}};
    table += text("bench-launch." + std::string(name), {{"median", fmt::format("{:.1f}", median)}, {"worst", fmt::format("{:.1f}", worst)},
                                                        {"limit", fmt::format("{:.0f}", limit)}, {"runs", std::to_string(kRuns)}}) + "\n";
  };
  measure("cancel", kCancelLimit, cancel_ms);
  measure("kill", kKillLimit, kill_ms);
  json["met"] = met;
  json["machine"] = {{"cores", std::thread::hardware_concurrency()}};
  print_bench(options, table, json.dump());
  return met ? 0 : 1;
}

}  // namespace p2plab::cli
