// Starting a kernel; the only header that both nvcc and the host compiler read besides kernels.h.
#pragma once
#include <cuda_runtime_api.h>

#include "demos/p2p/kernels.h"

namespace p2p::gpu {

/// Enqueues the kernel and returns; what went wrong is in cudaGetLastError().
void launch(const Kernel& kernel, cudaStream_t stream);

}  // namespace p2p::gpu
