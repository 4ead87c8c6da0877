#include "demos/p2p/gpu/blas.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <mutex>

#include "demos/p2p/backend.h"

#if P2PLAB_HAVE_CUBLAS
#include <cublas_v2.h>
#endif

namespace p2p::gpu {
namespace {

std::string g_by;  // written once

#if P2PLAB_HAVE_CUBLAS

/// The functions used, and the handle of this process. It lives as long as the process: to destroy it waits for the GPU.
struct Blas {
  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  decltype(&cublasSgemm_v2) sgemm = nullptr;
  decltype(&cublasGetProperty) property = nullptr;
  cublasHandle_t handle = nullptr;
  std::mutex mutex;

  Blas() {
    if (const std::string why = load(); !why.empty()) g_by = "a kernel of the lab (" + why + ")";
  }
  /// Why not; empty when the handle is there.
  std::string load() {
    const std::string name = fmt::format("libcublas.so.{}", CUDART_VERSION / 1000);
    void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return "there is no " + name;
    if (!find(library, create, "cublasCreate_v2") || !find(library, set_stream, "cublasSetStream_v2") || !find(library, sgemm, "cublasSgemm_v2") ||
        !find(library, property, "cublasGetProperty")) {
      return name + " lacks a function";
    }
    if (const cublasStatus_t status = create(&handle); status != CUBLAS_STATUS_SUCCESS) {
      handle = nullptr;
      return fmt::format("cublasCreate says {}", static_cast<int>(status));
    }
    int major = 0, minor = 0;
    property(MAJOR_VERSION, &major);
    property(MINOR_VERSION, &minor);
    g_by = fmt::format("cuBLAS {}.{}", major, minor);
    return {};
  }
  template <class Function>
  static bool find(void* library, Function& function, const char* name) {
    return (function = reinterpret_cast<Function>(::dlsym(library, name))) != nullptr;
  }
  static Blas& of_process() {
    static Blas& blas = *new Blas;
    return blas;
  }
};

void require(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) throw BackendError(fmt::format("{}: cuBLAS status {}", call, static_cast<int>(status)));
}

#endif

}  // namespace

#if P2PLAB_HAVE_CUBLAS

void prepare_products() { Blas::of_process(); }

bool multiply(const kernels::Gemm& product, cudaStream_t stream) {
  Blas& blas = Blas::of_process();
  if (blas.handle == nullptr) return false;
  const std::lock_guard lock(blas.mutex);
  require(blas.set_stream(blas.handle, stream), "cublasSetStream");
  const float one = 1, zero = 0;
  const auto columns = static_cast<int>(product.columns), rows = static_cast<int>(product.rows), inner = static_cast<int>(product.inner);
  const auto op = [](bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
  // cuBLAS counts column after column: c = a b by rows is c^T = b^T a^T by columns.
  require(blas.sgemm(blas.handle, op(product.b_transposed), op(product.a_transposed), columns, rows, inner, &one, product.b,
                     product.b_transposed ? inner : columns, product.a, product.a_transposed ? rows : inner, &zero, product.c, columns), "cublasSgemm");
  return true;
}

#else

void prepare_products() {
  [[maybe_unused]] static const bool once = (g_by = "a kernel of the lab (built without cuBLAS)", true);
}

bool multiply(const kernels::Gemm&, cudaStream_t) {
  prepare_products();
  return false;
}

#endif

std::string multiplied_by() { return g_by; }

}  // namespace p2p::gpu
