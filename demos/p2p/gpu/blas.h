// Matrix products by cuBLAS where it is: loaded when first asked for, so that no plugin needs it. The lab's own kernel takes
// its place where it is not.
#pragma once
#include <cuda_runtime_api.h>

#include <string>

#include "demos/p2p/kernels.h"

namespace p2p::gpu {

/// Loads the library and makes a handle, which allocates: before the run. Once; multiply() does it where it was not done.
void prepare_products();

/// Enqueues the product and returns true; false where there is no cuBLAS, and nothing is enqueued. Throws BackendError when
/// cuBLAS refuses a product.
bool multiply(const kernels::Gemm& product, cudaStream_t stream);

/// "cuBLAS 13.0", or "a kernel of the lab (why)"; empty before prepare_products().
std::string multiplied_by();

}  // namespace p2p::gpu
