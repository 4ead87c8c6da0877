// p2plab bench probe: what the profiling layer costs, without and with hashing, against the bare program in the same run.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "app/cli/bench.h"

namespace p2plab::cli {

namespace {

nlohmann::ordered_json measure_probe(const launch::Installation& installation, bool hashes) {
  launch::JobSpec spec;
  spec.program = {(installation.lib() / "p2plab-bench-probe").string()};
  spec.ranks = 2;
  spec.orders = [hashes](trace::ControlPage& page) { page.probe.hashes = hashes ? 1 : 0; };
  launch::Job job(installation, spec);
  recording_of(job);
  auto measured = nlohmann::ordered_json::parse(job.output(0, false).text(), nullptr, false);
  if (measured.is_discarded() || job.status().exit_status.value_or(1) != 0) {
    throw Error("bench-probe.failed", {{"last", job.output(0, true).text()}}, 3);
  }
  return measured;
}

}  // namespace

int bench_probe(const content::Text& text, const BenchOptions& options) {
  const auto installation = launch::Installation::find();
  const auto plain = measure_probe(installation, false);
  const auto hashed = measure_probe(installation, true);
  constexpr double kLimits[] = {1.25, 1.05};  // of 8 bytes and of 64 KiB, without hashing
  std::string table, missed;
  nlohmann::ordered_json sizes = nlohmann::ordered_json::array();
  bool kept = true;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const double ratio = plain[i]["ratio"].get<double>(), with_hashes = hashed[i]["ratio"].get<double>();
    if (ratio > kLimits[i]) {
      kept = false;
      missed += text("bench-probe.missed", {{"bytes", std::to_string(plain[i]["bytes"].get<std::int64_t>())}, {"ratio", fmt::format("{:.3f}", ratio)},
                                            {"limit", fmt::format("{:.2f}", kLimits[i])}}) + "\n";
    }
    sizes.push_back({{"bytes", plain[i]["bytes"]}, {"pairs", plain[i]["pairs"]}, {"bare_ns", plain[i]["bare_ns"]}, {"probe_ns", plain[i]["probe_ns"]},
                     {"ratio", ratio}, {"limit", kLimits[i]}, {"hashed_bare_ns", hashed[i]["bare_ns"]}, {"hashed_ns", hashed[i]["probe_ns"]},
                     {"hashed_ratio", with_hashes}});
    table += text("bench-probe.row", {{"bytes", std::to_string(plain[i]["bytes"].get<std::int64_t>())},
                                      {"bare", fmt::format("{:.2f}", plain[i]["bare_ns"].get<double>() / 1e3)},
                                      {"probe", fmt::format("{:.2f}", plain[i]["probe_ns"].get<double>() / 1e3)},
                                      {"ratio", fmt::format("{:.3f}", ratio)},
                                      {"limit", fmt::format("{:.2f}", kLimits[i])},
                                      {"hashed", fmt::format("{:.3f}", with_hashes)}}) + "\n";
  }
  const nlohmann::ordered_json json = {{"schema", "p2plab.bench/1"}, {"bench", "probe"}, {"within_limits", kept}, {"sizes", sizes}};
  print_bench(options, table + missed, json.dump());
  return kept ? 0 : 1;
}

}  // namespace p2plab::cli
