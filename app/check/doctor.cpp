// See doctor.h. Nothing here links MPI, CUDA or NCCL: their own tools and files are asked.
#include "app/check/doctor.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "app/check/demo_run.h"
#include "app/check/font_files.h"
#include "app/check/gpu_info.h"
#include "app/check/machine.h"
#include "app/check/metrics.h"
#include "app/trace/clock.h"

namespace p2plab::check {

namespace {

namespace fs = std::filesystem;
using Status = Diagnosis::Status;

/// Shared memory one rank needs with a handful of threads; four ranks are the largest of the three demos.
constexpr std::uint64_t kShmWanted = 64ull << 20;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Diagnosis found(std::string id, TextRef what) { return {std::move(id), Status::ok, std::move(what), {}, {}}; }
Diagnosis lacking(std::string id, Status status, std::string text, std::string remedy) {
  std::optional<std::string> command;
  if (!remedy.empty()) command = std::move(remedy);
  return {std::move(id), status, {std::move(text), {}}, std::move(command), {}};
}

Diagnosis mpi() {
  if (mpi_name().empty()) return lacking("mpi", Status::missing, "doctor.no_mpi", "sudo apt install mpich libmpich-dev");
  return found("mpi", {"doctor.mpi", {{"name", mpi_name()}, {"path", launch::find_mpiexec().string()}}});
}

Diagnosis host_backend(const launch::Installation& installation) {
  if (fs::exists(installation.lib() / "libp2plab-host.so")) return found("host", {"doctor.host", {}});
  return lacking("host", Status::missing, "doctor.no_host", "sudo apt install mpich libmpich-dev && ./lab build");
}

Diagnosis eager_limit(const launch::Installation& installation) {
  const auto limit = measure_eager_limit(installation);
  if (!limit) return lacking("eager_limit", Status::missing, "doctor.no_eager", "");
  Diagnosis out = found("eager_limit", {"doctor.eager", {{"bytes", std::to_string(static_cast<std::uint64_t>(*limit))}}});
  out.value = limit;
  return out;
}

Diagnosis gpu_found(std::size_t count, TextRef what) {
  Diagnosis out = found("gpus", std::move(what));
  out.value = static_cast<double>(count);
  return out;
}

Diagnosis gpus(const GpuInfo& info) {
  if (info.state == GpuInfo::State::unloadable) return lacking("gpus", Status::absent, "doctor.gpu_unloadable", "");
  if (info.state == GpuInfo::State::none || info.state == GpuInfo::State::failing) {
    Diagnosis out = lacking("gpus", Status::absent, info.state == GpuInfo::State::none ? "doctor.no_gpu_reason" : "doctor.gpu_failing", "");
    out.finding.params = {{"why", info.why}, {"error", std::to_string(info.error)}};
    return out;
  }
  if (info.state == GpuInfo::State::present) {
    return gpu_found(info.names.size(), {"doctor.gpu_cuda", {{"count", std::to_string(info.names.size())}, {"name", info.names.front()},
                                                             {"driver", info.driver}, {"runtime", info.runtime}}});
  }
  // The backends are not built: only the driver's own tool can be asked.
  const auto list = output_of({"nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader"});
  if (!list || list->empty()) return lacking("gpus", Status::absent, "doctor.no_gpu", "");
  const auto count = static_cast<std::size_t>(std::count(list->begin(), list->end(), '\n'));
  return gpu_found(count, {"doctor.gpu", {{"count", std::to_string(count)}, {"name", first_line(*list)}}});
}

/// No GPU has run the backends so far; README has the table of what was verified where.
Diagnosis gpu_backend(const launch::Installation& installation, const std::string& name) {
  const bool built = fs::exists(installation.lib() / ("libp2plab-" + name + ".so"));
  return built ? found(name + "_backend", {"doctor.gpu_backend", {}}) : lacking(name + "_backend", Status::absent, "doctor.no_" + name + "_backend", "");
}

/// Building the backends needs the toolkit, running them only its runtime, which may come from elsewhere (a wheel, a folder).
Diagnosis cuda(const GpuInfo& info) {
  for (const char* compiler : {"nvcc", "/usr/local/cuda/bin/nvcc"}) {
    const auto text = output_of({compiler, "--version"});
    const std::size_t at = text ? text->find("release ") : std::string::npos;
    if (at != std::string::npos) return found("cuda", {"doctor.cuda", {{"version", text->substr(at + 8, text->find(',', at) - at - 8)}}});
  }
  if (!info.runtime.empty()) return found("cuda", {"doctor.cuda_runtime", {{"version", info.runtime}}});
  return lacking("cuda", Status::absent, "doctor.no_cuda", "");
}

/// Only that the library is installed, or can be loaded by what asks CUDA.
Diagnosis nccl(const GpuInfo& info) {
  if (!info.nccl.empty()) return found("nccl", {"doctor.nccl_version", {{"version", info.nccl}}});
  for (const char* ldconfig : {"ldconfig", "/sbin/ldconfig"}) {
    const auto libraries = output_of({ldconfig, "-p"});
    if (!libraries) continue;
    const std::size_t at = libraries->find("libnccl.so");
    if (at == std::string::npos) break;
    const std::size_t path = libraries->find("=> ", at);
    return found("nccl", {"doctor.nccl", {{"path", first_line(libraries->substr(path + 3))}}});
  }
  return lacking("nccl", Status::absent, "doctor.no_nccl", "");
}

/// Matrix products of real computation on a GPU; without it a kernel of the lab does them.
Diagnosis cublas(const GpuInfo& info) {
  if (info.cublas.empty()) return lacking("cublas", Status::absent, "doctor.no_cublas", "");
  return found("cublas", {"doctor.cublas", {{"version", info.cublas}}});
}

Diagnosis display() {
  if (const char* wayland = std::getenv("WAYLAND_DISPLAY"); wayland != nullptr && *wayland != '\0') {
    return found("display", {"doctor.display", {{"name", wayland}}});
  }
  if (const char* x11 = std::getenv("DISPLAY"); x11 != nullptr && *x11 != '\0') return found("display", {"doctor.display", {{"name", x11}}});
  return lacking("display", Status::absent, "doctor.no_display", "");
}

Diagnosis fonts() {
  if (const auto font = chinese_font()) return found("fonts", {"doctor.font", {{"path", font->string()}}});
  return lacking("fonts", Status::absent, "doctor.no_font", "sudo apt install fonts-noto-cjk");
}

Diagnosis cores() {
  Diagnosis out = found("cores", {"doctor.cores", {{"count", std::to_string(usable_cores())}, {"all", std::to_string(std::thread::hardware_concurrency())}}});
  out.value = usable_cores();
  return out;
}

Diagnosis shared_memory() {
  struct statvfs space {};
  if (statvfs("/dev/shm", &space) != 0) return lacking("shm", Status::missing, "doctor.no_shm", "sudo mount -t tmpfs tmpfs /dev/shm");
  const std::uint64_t free_bytes = static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
  const Params params{{"mib", std::to_string(free_bytes >> 20)}};
  Diagnosis out = free_bytes >= kShmWanted ? found("shm", {"doctor.shm", params})
                                           : lacking("shm", Status::missing, "doctor.little_shm", "sudo mount -o remount,size=1G /dev/shm");
  out.finding.params = params;
  out.value = static_cast<double>(free_bytes);
  return out;
}

Diagnosis clock() {
  return trace::tsc_is_trusted() ? found("clock", {"doctor.tsc", {}}) : found("clock", {"doctor.no_tsc", {}});
}

}  // namespace

std::optional<double> measure_eager_limit(const launch::Installation& installation) {
  try {
    const DemoManifest demo = load_demo(installation.demos() / "deadlock");
    RunRequest request;
    request.demo = demo.id;
    request.knobs = {{"variant", "sendrecv"}, {"bytes", "1"}};
    request.timeout_s = 20;
    DemoRun run(installation, demo, request);
    while (!run.finished()) {
      if (!run.poll()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return program_metric(run.trace(), "eager_limit_bytes");
  } catch (const Error&) {
    return std::nullopt;  // the lines on MPI and the backend say what is missing
  }
}

std::vector<Diagnosis> diagnose(const launch::Installation& installation) {
  const GpuInfo info = gpu_info(installation, true);
  return {mpi(), host_backend(installation), eager_limit(installation), cuda(info), nccl(info), cublas(info),
          gpu_backend(installation, "cuda"), gpu_backend(installation, "nccl"), gpus(info), display(), fonts(), cores(), shared_memory(), clock()};
}

}  // namespace p2plab::check
