// p2plab bench pingpong: what a message costs through the runtime, recording included, against bare MPI.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/bench.h"
#include "app/launch/job.h"
#include "app/trace/control.h"
#include "app/trace/feed_reader.h"

namespace p2plab::cli {

int bench_pingpong(const content::Text& text, const BenchOptions& options) {
  const auto installation = launch::Installation::find();
  launch::JobSpec spec;
  spec.program = {(installation.lib() / "p2plab-bench-pingpong").string()};
  spec.ranks = 2;
  spec.limits.wall = std::chrono::minutes(5);  // bare MPI spins: on a busy machine its part takes long
  launch::Job job(installation, spec);
  trace::FeedReader reader(job.directory(), spec.ranks, trace::Control::open(job.directory()).page().clock);
  trace::Trace trace;
  while (job.poll()) {
    while (reader.poll(trace) != 0) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const std::string out = job.output(0, false).text();
  const auto measured = nlohmann::ordered_json::parse(out, nullptr, false);
  if (measured.is_discarded() || job.status().exit_status.value_or(1) != 0) {
    throw Error("bench-pingpong.failed", {{"last", job.output(0, true).text()}}, 3);
  }
  std::string table;
  for (const auto& size : measured["sizes"]) {
    table += text("bench-pingpong.row", {{"bytes", std::to_string(size["bytes"].get<std::int64_t>())},
                                         {"bare", fmt::format("{:.2f}", size["bare_ns"].get<double>() / 1e3)},
                                         {"runtime", fmt::format("{:.2f}", size["runtime_ns"].get<double>() / 1e3)},
                                         {"ratio", fmt::format("{:.3f}", size["ratio"].get<double>())},
                                         {"pairs", std::to_string(size["pairs"].get<int>())}}) +
             "\n";
  }
  const nlohmann::ordered_json json = {{"schema", "p2plab.bench/1"},
                                       {"bench", "pingpong"},
                                       {"sizes", measured["sizes"]},
                                       {"dropped", trace.dropped()},
                                       {"machine", {{"cores", std::thread::hardware_concurrency()}}}};
  print_bench(options, table, json.dump());
  return 0;
}

}  // namespace p2plab::cli
