// Every body as a kernel of one thread per index.
#include "demos/p2p/gpu/launch.h"

namespace p2p::gpu {

template <class Body>
__global__ void each(Body body, std::size_t count) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) body(i);
}

void launch(const Kernel& kernel, cudaStream_t stream) {
  constexpr std::size_t kThreads = 256;
  if (kernel.count == 0) return;  // a grid without blocks is an error
  const auto blocks = static_cast<unsigned>((kernel.count + kThreads - 1) / kThreads);
  std::visit([&](const auto& body) {
    each<<<blocks, kernel.count < kThreads ? static_cast<unsigned>(kernel.count) : kThreads, 0, stream>>>(body, kernel.count);
  }, kernel.body);
}

}  // namespace p2p::gpu
