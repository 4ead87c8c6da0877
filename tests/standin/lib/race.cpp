// A message leaves a buffer on one stream while a kernel overwrites it on another; with "event" the second stream waits
// for the first. Built with ThreadSanitizer.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>

#include "demos/p2p/kernels.h"

extern "C" void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*);

namespace {

const char stub = 0;  // as nvcc makes one for each kernel

bool good(cudaError_t code) {
  if (code != cudaSuccess) std::fprintf(stderr, "error %d\n", static_cast<int>(code));
  return code == cudaSuccess;
}

cudaError_t fill(unsigned char* buffer, std::size_t bytes, int microbatch, cudaStream_t stream) {
  p2p::kernels::Fill body{buffer, 1, microbatch};
  void* arguments[] = {&body, &bytes};
  return cudaLaunchKernel(&stub, dim3(static_cast<unsigned>(bytes / 256)), dim3(256), arguments, 0, stream);
}

}  // namespace

int main(int argc, char** argv) {
  const bool waits = argc > 1 && std::strcmp(argv[1], "event") == 0;
  __cudaRegisterFunction(nullptr, &stub, nullptr, "_ZN3p2p3gpu4eachINS_7kernels4FillEEEvT_m", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  constexpr std::size_t kBytes = 1 << 20;
  void *buffer = nullptr, *pinned = nullptr;
  cudaStream_t compute = nullptr, comm = nullptr;
  cudaEvent_t ready = nullptr, sent = nullptr;
  bool well = good(cudaMalloc(&buffer, kBytes)) && good(cudaMallocHost(&pinned, kBytes)) &&
              good(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking)) && good(cudaStreamCreateWithFlags(&comm, cudaStreamNonBlocking)) &&
              good(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming)) && good(cudaEventCreateWithFlags(&sent, cudaEventDisableTiming));
  auto* bytes = static_cast<unsigned char*>(buffer);
  well = well && good(fill(bytes, kBytes, 0, compute)) && good(cudaEventRecord(ready, compute)) && good(cudaStreamWaitEvent(comm, ready, 0)) &&
         good(cudaMemcpyAsync(pinned, buffer, kBytes, cudaMemcpyDeviceToHost, comm)) && good(cudaEventRecord(sent, comm)) &&
         (!waits || good(cudaStreamWaitEvent(compute, sent, 0))) && good(fill(bytes, kBytes, 1, compute)) && good(cudaDeviceSynchronize());
  return well ? 0 : 1;
}
