// p2plab bench nccl: the numbers of nccl-tests' sendrecv_perf, in its columns.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/check/gpu_info.h"
#include "app/cli/bench.h"
#include "app/launch/job.h"
#include "app/trace/error.h"

namespace p2plab::cli {

int bench_nccl(const content::Text& text, const BenchOptions& options) {
  const auto installation = launch::Installation::find();
  const auto program = installation.lib() / "p2plab-bench-nccl";
  if (!std::filesystem::exists(program)) throw Error("bench-nccl.not_built");
  check::require_gpu(installation, "nccl");
  const check::GpuInfo gpus = check::gpu_info(installation);
  launch::JobSpec spec;
  spec.program = {program.string()};
  spec.ranks = static_cast<int>(gpus.names.size());
  spec.limits.wall = std::chrono::minutes(10);
  launch::Job job(installation, spec);
  while (job.poll()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto measured = nlohmann::ordered_json::parse(job.output(0, false).text(), nullptr, false);
  if (measured.is_discarded() || job.status().exit_status.value_or(1) != 0) {
    throw Error("bench-nccl.failed", {{"last", job.output(0, true).text()}}, 3);
  }
  std::string table = "# " + text("bench-nccl.head", {{"ranks", std::to_string(spec.ranks)}, {"gpu", measured["gpu"].get<std::string>()}}) + "\n";
  table += fmt::format("#{:>11} {:>12} {:>8} {:>10} {:>8} {:>8} {:>7}\n", "size", "count", "type", "time", "algbw", "busbw", "#wrong");
  table += fmt::format("#{:>11} {:>12} {:>8} {:>10} {:>8} {:>8}\n", "(B)", "(elements)", "", "(us)", "(GB/s)", "(GB/s)");
  std::int64_t wrong = 0;
  for (const auto& row : measured["rows"]) {
    wrong += row["wrong"].get<std::int64_t>();
    table += fmt::format("{:>12} {:>12} {:>8} {:>10.2f} {:>8.2f} {:>8.2f} {:>7}\n", row["bytes"].get<std::int64_t>(), row["count"].get<std::int64_t>(), "uint8",
                         row["time_us"].get<double>(), row["algbw_gb_per_s"].get<double>(), row["busbw_gb_per_s"].get<double>(), row["wrong"].get<std::int64_t>());
  }
  const nlohmann::ordered_json json = {{"schema", "p2plab.bench/1"}, {"bench", "nccl"}, {"gpu", measured["gpu"]}, {"nccl", gpus.nccl},
                                       {"ranks", spec.ranks}, {"rows", measured["rows"]}, {"wrong", wrong}};
  print_bench(options, table, json.dump());
  return wrong == 0 ? 0 : 1;
}

}  // namespace p2plab::cli
