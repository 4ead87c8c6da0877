// p2plab-gpu-info: what CUDA and NCCL say of this machine, as one line of JSON; `p2plab doctor` asks it, so that the lab
// itself links neither; with any argument of cuBLAS, too. Status 0 also when there is no GPU.
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

namespace {

std::string dotted(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

/// "2.28.9", or empty where libnccl cannot be loaded.
std::string nccl_version() {
  void* library = ::dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  auto* ask = library == nullptr ? nullptr : reinterpret_cast<int (*)(int*)>(::dlsym(library, "ncclGetVersion"));
  int version = 0;
  if (ask == nullptr || ask(&version) != 0) return {};
  return fmt::format("{}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
}

/// "13.0", or empty where libcublas cannot be loaded. It is large: only when asked for.
std::string cublas_version() {
  void* library = ::dlopen(fmt::format("libcublas.so.{}", CUDART_VERSION / 1000).c_str(), RTLD_LAZY | RTLD_LOCAL);
  auto* ask = library == nullptr ? nullptr : reinterpret_cast<int (*)(int, int*)>(::dlsym(library, "cublasGetProperty"));
  int major = 0, minor = 0;
  if (ask == nullptr || ask(0, &major) != 0 || ask(1, &minor) != 0) return {};
  return fmt::format("{}.{}", major, minor);
}

}  // namespace

int main(int argc, char**) {
  int runtime = 0, driver = 0, count = 0;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) count = 0;
  std::string devices;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
    devices += fmt::format(R"({}{{"name":"{}","memory_bytes":{}}})", devices.empty() ? "" : ",", properties.name, properties.totalGlobalMem);
  }
  fmt::print(R"({{"runtime":"{}","driver":"{}","error":{},"why":"{}","devices":[{}],"nccl":"{}","cublas":"{}"}})"
             "\n",
             dotted(runtime), dotted(driver), static_cast<int>(code), code == cudaSuccess ? "" : cudaGetErrorString(code), devices, nccl_version(),
             argc > 1 ? cublas_version() : "");
  return 0;
}
