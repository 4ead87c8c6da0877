// Kernel launches: what nvcc's code calls for `<<<>>>` (CUDA 13: __cudaGetKernel and __cudaLaunchKernel; before: cudaLaunchKernel).
// A kernel is found by its name in the table of bodies (kernels.cpp); one without a body is an error.
#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "kernels.h"
#include "state.h"

namespace {

struct Call {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};
thread_local std::vector<Call> t_calls;

struct Registered {
  std::mutex mutex;
  std::unordered_map<const void*, std::string> names;  ///< of host stubs
};
Registered& registered() {
  static auto* all = new Registered;
  return *all;
}

std::string readable(const char* mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string out = text != nullptr ? text : mangled;
  std::free(text);
  return out;
}

cudaError_t launch(const void* stub, dim3 grid, dim3 block, void** arguments, cudaStream_t on) {
  if (const cudaError_t code = standin::enter("cudaLaunchKernel"); code != cudaSuccess) return code;
  cudaError_t code = cudaSuccess;
  CUstream_st* stream = standin::stream_of(on, "cudaLaunchKernel", code);
  if (stream == nullptr) return code;
  std::string name;
  {
    const std::lock_guard lock(registered().mutex);
    const auto it = registered().names.find(stub);
    if (it != registered().names.end()) name = it->second;
  }
  const standin::KernelBody* body = standin::find_kernel(name);
  if (body == nullptr) return standin::refuse(cudaErrorInvalidDeviceFunction, "cudaLaunchKernel", "the kernel '" + name + "' is unknown here");
  const std::size_t threads = std::size_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
  if (threads == 0 || block.x * block.y * block.z > 1024) {
    return standin::refuse(cudaErrorInvalidConfiguration, "cudaLaunchKernel", "an empty grid, or more than 1024 threads in a block");
  }
  // The arguments lie on the caller's stack: copied now, with the addresses that the stand-in uses.
  std::vector<std::vector<char>> copies;
  for (std::size_t i = 0; i < body->sizes.size(); ++i) {
    const char* from = static_cast<const char*>(arguments[i]);
    std::vector<char> copy(from, from + body->sizes[i]);
    for (const std::size_t at : i == 0 ? body->pointers : std::vector<std::size_t>{}) {
      void* word = nullptr;
      std::memcpy(&word, copy.data() + at, sizeof word);
      std::string why;
      void* use = standin::translate(word, why);
      if (!why.empty()) {
        standin::fault(cudaErrorIllegalAddress, name + ": " + why);
        return cudaErrorIllegalAddress;
      }
      if (use != nullptr) std::memcpy(copy.data() + at, &use, sizeof use);
    }
    copies.push_back(std::move(copy));
  }
  stream->enqueue([body, threads, copies = std::move(copies)]() mutable {
    std::vector<void*> pointers;
    for (auto& copy : copies) pointers.push_back(copy.data());
    body->run(pointers.data(), threads);
  });
  return cudaSuccess;
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void*) { return new void*(nullptr); }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void** handle) { delete handle; }
void __cudaRegisterFunction(void**, const char* stub, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*, int*) {
  const std::lock_guard lock(registered().mutex);
  registered().names[stub] = readable(name);
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st* stream) {
  t_calls.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (t_calls.empty()) return standin::refuse(cudaErrorMissingConfiguration, "__cudaPopCallConfiguration", "no launch was begun");
  const Call call = t_calls.back();
  t_calls.pop_back();
  *grid = call.grid;
  *block = call.block;
  *shared = call.shared;
  *static_cast<cudaStream_t*>(stream) = call.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(stub));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t, cudaStream_t stream) {
  return launch(reinterpret_cast<const void*>(kernel), grid, block, arguments, stream);
}
cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments, size_t, cudaStream_t stream) {
  return launch(stub, grid, block, arguments, stream);
}

}  // extern "C"
