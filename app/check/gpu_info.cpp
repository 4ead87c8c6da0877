// See gpu_info.h.
#include "app/check/gpu_info.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/check/machine.h"

namespace p2plab::check {

GpuInfo gpu_info(const launch::Installation& installation) {
  GpuInfo info;
  const auto program = installation.lib() / "p2plab-gpu-info";
  if (!std::filesystem::exists(program)) return info;
  const auto said = output_of({program.string()}, std::chrono::seconds(20));  // a GPU that sleeps takes its time
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
  for (const auto& device : json["devices"]) info.names.push_back(device["name"]);
  info.state = info.names.empty() ? GpuInfo::State::none : GpuInfo::State::present;
  if (info.state == GpuInfo::State::none && info.why.empty()) info.why = "CUDA sees no device";
  return info;
}

}  // namespace p2plab::check
