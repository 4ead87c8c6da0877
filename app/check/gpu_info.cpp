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
  info.state = info.names.empty() ? GpuInfo::State::none : GpuInfo::State::present;
  if (info.state == GpuInfo::State::none && info.why.empty()) info.why = "CUDA sees no device";
  return info;
}

void require_gpu(const launch::Installation& installation, const std::string& backend, int ranks) {
  if (backend != "cuda" && backend != "nccl") return;
  const GpuInfo info = gpu_info(installation);
  if (info.state == GpuInfo::State::unloadable) throw Error("gpu.unloadable");
  if (info.state == GpuInfo::State::none) throw Error("gpu.none", {{"why", info.why}, {"error", std::to_string(info.error)}});
  const auto count = static_cast<int>(info.names.size());
  if (backend == "nccl" && info.state == GpuInfo::State::present && ranks > count) {
    throw Error("gpu.too_few", {{"ranks", std::to_string(ranks)}, {"count", std::to_string(count)}});
  }
}

void require_backend(const launch::Installation& installation, const std::string& backend, int ranks) {
  const std::vector<std::string> known{"sim", "host", "cuda", "nccl"};
  if (std::find(known.begin(), known.end(), backend) == known.end()) throw unknown("run.unknown_backend", backend, known);
  if (!std::filesystem::exists(installation.lib() / ("libp2plab-" + backend + ".so"))) throw Error("run.backend_not_built", {{"value", backend}});
  require_gpu(installation, backend, ranks);
}

}  // namespace p2plab::check
