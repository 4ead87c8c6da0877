// p2plab bench pingpong: what a message costs through the runtime against bare MPI, with recording off and with it on.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/bench.h"

namespace p2plab::cli {

namespace {

struct PingPong {
  nlohmann::ordered_json sizes;
  std::uint64_t dropped = 0;
};

PingPong measure_pingpong(const launch::Installation& installation, bool recording) {
  launch::JobSpec spec;
  spec.program = {(installation.lib() / "p2plab-bench-pingpong").string()};
  spec.ranks = 2;
  if (!recording) spec.environment["P2PLAB_BENCH_RECORDING"] = "off";
  spec.limits.wall = std::chrono::minutes(5);  // bare MPI spins: on a busy machine its part takes long
  launch::Job job(installation, spec);
  const trace::Trace trace = recording_of(job);
  const auto measured = nlohmann::ordered_json::parse(job.output(0, false).text(), nullptr, false);
  if (measured.is_discarded() || job.status().exit_status.value_or(1) != 0 || measured["feed"] != recording)
    throw Error("bench-pingpong.failed", {{"last", job.output(0, true).text()}}, 3);
  return {measured["sizes"], trace.dropped()};
}

}  // namespace

int bench_pingpong(const content::Text& text, const BenchOptions& options) {
  const auto installation = launch::Installation::find();
  const PingPong off = measure_pingpong(installation, false), on = measure_pingpong(installation, true);
  constexpr double kOff[] = {1.15, 1.05}, kOn[] = {1.25, 1.05};  // of 8 bytes and of 64 KiB
  std::string table;
  bool kept = true;
  nlohmann::ordered_json sizes = nlohmann::ordered_json::array();
  const auto us = [](const nlohmann::ordered_json& ns) { return fmt::format("{:.2f}", ns.get<double>() / 1e3); };
  for (std::size_t i = 0; i < on.sizes.size(); ++i) {
    const auto line = [&](const char* id, const nlohmann::ordered_json& size, double limit) {
      const double ratio = size["ratio"].get<double>();
      kept = kept && ratio <= limit;
      table += text(id, {{"bytes", std::to_string(size["bytes"].get<std::int64_t>())},
                         {"bare", us(size["bare_ns"])},
                         {"runtime", us(size["runtime_ns"])},
                         {"ratio", fmt::format("{:.3f}", ratio)},
                         {"limit", fmt::format("{:.2f}", limit)},
                         {"kept", text(ratio <= limit ? "bench-pingpong.kept" : "bench-pingpong.missed")},
                         {"pairs", std::to_string(size["pairs"].get<int>())}}) +
               "\n";
    };
    line("bench-pingpong.row_off", off.sizes[i], kOff[i]);
    line("bench-pingpong.row_on", on.sizes[i], kOn[i]);
    nlohmann::ordered_json size = on.sizes[i];
    size.update({{"limit", kOn[i]}, {"off_bare_ns", off.sizes[i]["bare_ns"]}, {"off_runtime_ns", off.sizes[i]["runtime_ns"]},
                 {"off_ratio", off.sizes[i]["ratio"]}, {"off_limit", kOff[i]}});
    sizes.push_back(std::move(size));
  }
  const nlohmann::ordered_json json = {{"schema", "p2plab.bench/1"},
                                       {"bench", "pingpong"},
                                       {"within_limits", kept},
                                       {"sizes", sizes},
                                       {"dropped", on.dropped},
                                       {"machine", {{"cores", std::thread::hardware_concurrency()}}}};
  print_bench(options, table + (kept ? "" : text("bench-pingpong.busy") + "\n"), json.dump());
  return kept ? 0 : 1;
}

}  // namespace p2plab::cli
