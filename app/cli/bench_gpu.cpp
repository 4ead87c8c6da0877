// p2plab bench gpu: what it costs to record computation on a GPU, against the same kernels by bare CUDA.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/check/gpu_info.h"
#include "app/cli/bench.h"

namespace p2plab::cli {

int bench_gpu(const content::Text& text, const BenchOptions& options) {
  constexpr double kBudget = 1.02;  // of the time of a step, at steps of 1 ms
  const auto installation = launch::Installation::find();
  const auto program = installation.lib() / "p2plab-bench-gpu";
  if (!std::filesystem::exists(program)) throw Error("bench-gpu.not_built");
  check::require_gpu(installation, "cuda");
  launch::JobSpec spec;
  spec.program = {program.string(), "--backend", "cuda", "--set", fmt::format("milliseconds={:.0f}", options.seconds * 1e3)};
  spec.ranks = 1;
  spec.limits.wall = std::chrono::minutes(11);
  launch::Job job(installation, spec);
  const trace::Trace trace = recording_of(job);
  const auto measured = nlohmann::ordered_json::parse(job.output(0, false).text(), nullptr, false);
  if (measured.is_discarded() || job.status().exit_status.value_or(1) != 0) {
    throw Error("bench-gpu.failed", {{"last", job.output(0, true).text()}}, 3);
  }
  const double ratio = measured["ratio"];
  const std::string table = text("bench-gpu.row", {{"gpu", measured["gpu"].get<std::string>()},
                                                   {"bare", fmt::format("{:.1f}", measured["bare_ns"].get<double>() / 1e3)},
                                                   {"recorded", fmt::format("{:.1f}", measured["recorded_ns"].get<double>() / 1e3)},
                                                   {"ratio", fmt::format("{:.4f}", ratio)},
                                                   {"budget", fmt::format("{:.2f}", kBudget)},
                                                   {"rounds", std::to_string(measured["rounds"].get<int>())}}) +
                            "\n";
  nlohmann::ordered_json json = {{"schema", "p2plab.bench/1"}, {"bench", "gpu"}};
  json.update(measured);
  json["budget"] = kBudget;
  json["dropped"] = trace.dropped();
  print_bench(options, table, json.dump());
  return ratio <= kBudget ? 0 : 1;
}

}  // namespace p2plab::cli
