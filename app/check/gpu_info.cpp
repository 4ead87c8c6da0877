// See gpu_info.h.
#include "app/check/gpu_info.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/check/machine.h"
#include "app/check/unknown.h"
#include "app/trace/error.h"

namespace p2plab::check {

GpuInfo gpu_info(const launch::Installation& installation, bool with_cublas) {
  GpuInfo info;
  const auto program = installation.lib() / "p2plab-gpu-info";
  if (!std::filesystem::exists(program)) return info;
  std::vector<std::string> command{program.string()};
  if (with_cublas) command.push_back("--cublas");
  const auto said = output_of(command, std::chrono::seconds(20));  // a GPU that sleeps takes its time
  const auto json = nlohmann::json::parse(said.value_or(""), nullptr, false);
  if (json.is_discarded()) {
    info.state = GpuInfo::State::unloadable;
    return info;
  }
  info.error = json["error"];
  info.why = json["why"];
  info.driver = json["driver"];
  info.runtime = json["runtime"];
  info.nccl = json["nccl"];
  info.cublas = json["cublas"];
  for (const auto& device : json["devices"]) info.names.push_back(device["name"]);
  // 34 is the toolkit's stub library, 35 no or an old driver, 100 a driver without a device; the rest is a fault, not an absence.
  const bool absent = info.error == 0 || info.error == 34 || info.error == 35 || info.error == 100;
  info.state = !info.names.empty() ? GpuInfo::State::present : absent ? GpuInfo::State::none : GpuInfo::State::failing;
  if (info.state == GpuInfo::State::none && info.why.empty()) info.why = "CUDA sees no device";
  return info;
}

void require_gpu(const launch::Installation& installation, const std::string& backend, int ranks, int least_ranks) {
  if (backend != "cuda" && backend != "nccl") return;
  const GpuInfo info = gpu_info(installation);
  if (info.state == GpuInfo::State::unloadable) throw Error("gpu.unloadable");
  if (info.state == GpuInfo::State::none || info.state == GpuInfo::State::failing) {
    throw Error(info.state == GpuInfo::State::none ? "gpu.none" : "gpu.failing", {{"why", info.why}, {"error", std::to_string(info.error)}});
  }
  const auto count = static_cast<int>(info.names.size());
  if (backend == "nccl" && info.state == GpuInfo::State::present && ranks > count) {
    const Params params{{"ranks", std::to_string(ranks)}, {"count", std::to_string(count)}, {"least", std::to_string(least_ranks)}};
    throw Error(count < least_ranks ? "gpu.too_few_for_any" : "gpu.too_few", params);
  }
}

void require_backend(const launch::Installation& installation, const std::string& backend, int ranks, int least_ranks) {
  const std::vector<std::string> known{"sim", "host", "cuda", "nccl"};
  if (std::find(known.begin(), known.end(), backend) == known.end()) throw unknown("run.unknown_backend", backend, known);
  if (!std::filesystem::exists(installation.lib() / ("libp2plab-" + backend + ".so"))) throw Error("run.backend_not_built", {{"value", backend}});
  require_gpu(installation, backend, ranks, least_ranks);
}

}  // namespace p2plab::check
