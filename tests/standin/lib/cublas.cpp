// The four functions of cuBLAS that the backends look for, by the book: column after column, on the stream that was set.
#include <cublas_v2.h>

#include <cstdio>

#include "state.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
};

namespace {

struct Product {
  const float *a, *b;
  float* c;
  int m, n, k, lda, ldb, ldc;
  bool a_transposed, b_transposed;
  float alpha, beta;
};

void carry_out(void* data) {
  const std::unique_ptr<Product> p(static_cast<Product*>(data));
  for (int column = 0; column < p->n; ++column) {
    for (int row = 0; row < p->m; ++row) {
      float sum = 0;
      for (int i = 0; i < p->k; ++i) {
        sum += p->a[p->a_transposed ? i + row * p->lda : row + i * p->lda] * p->b[p->b_transposed ? column + i * p->ldb : i + column * p->ldb];
      }
      float& out = p->c[row + column * p->ldc];
      out = p->alpha * sum + (p->beta == 0 ? 0 : p->beta * out);
    }
  }
}

}  // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (p2plab_standin_injected("cublasCreate") != 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (p2plab_standin_may_not_allocate("cublasCreate") != 0) return CUBLAS_STATUS_ALLOC_FAILED;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  *value = type == MAJOR_VERSION ? 0 : 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  if (stream == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const float* alpha,
                              const float* a, int lda, const float* b, int ldb, const float* beta, float* c, int ldc) {
  if (p2plab_standin_injected("cublasSgemm") != 0) return CUBLAS_STATUS_EXECUTION_FAILED;
  const auto known = [](cublasOperation_t op) { return op == CUBLAS_OP_N || op == CUBLAS_OP_T; };
  if (!known(transa) || !known(transb) || handle->stream == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool ta = transa == CUBLAS_OP_T, tb = transb == CUBLAS_OP_T;
  if (lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m || m < 0 || n < 0 || k < 0) return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = [](int leading, int columns) { return sizeof(float) * static_cast<std::size_t>(leading) * static_cast<std::size_t>(columns); };
  auto product = std::make_unique<Product>();
  product->a = static_cast<const float*>(p2plab_standin_access(a, bytes(lda, ta ? m : k)));
  product->b = static_cast<const float*>(p2plab_standin_access(b, bytes(ldb, tb ? k : n)));
  product->c = static_cast<float*>(p2plab_standin_access(c, bytes(ldc, n)));
  if (product->a == nullptr || product->b == nullptr || product->c == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  product->m = m;
  product->n = n;
  product->k = k;
  product->lda = lda;
  product->ldb = ldb;
  product->ldc = ldc;
  product->a_transposed = ta;
  product->b_transposed = tb;
  product->alpha = *alpha;
  product->beta = *beta;
  if (cudaLaunchHostFunc(handle->stream, carry_out, product.get()) != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  product.release();
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"
