// Matrices where kernels find them, in a GPU's memory if there is one, and the kernels of the block on them.
#pragma once
#include "demos/p2p/world.h"
#include "demos/tensor-parallel/block.h"

/// Row after row; copies share the numbers.
struct Placed {
  std::size_t rows = 0, columns = 0;
  p2p::Tensor tensor;
  float* data() const { return reinterpret_cast<float*>(tensor.data()); }
  std::size_t count() const { return rows * columns; }
};

Placed room(std::size_t rows, std::size_t columns);  ///< zeros
Placed place(const Matrix& matrix);
/// On the host, once everything on the stream `compute` is done.
Matrix fetch(const Placed& placed);

/// One side of a product.
struct Factor {
  Factor(const Placed& matrix, bool as_transposed = false) : placed(matrix), transposed(as_transposed) {}  // NOLINT: a matrix is one
  const Placed& placed;
  const bool transposed;
};
inline Factor transposed(const Placed& matrix) { return {matrix, true}; }

p2p::Kernel product(const Factor& a, const Factor& b, const Placed& out);
p2p::Kernel gelu(const Placed& h, const Placed& g);
/// dH of dG, which it may replace.
p2p::Kernel gelu_backward(const Placed& h, const Placed& dg, const Placed& dh);
p2p::Kernel side_by_side(const Placed& blocks, std::size_t parts, const Placed& out);
p2p::Kernel in_blocks(const Placed& whole, std::size_t parts, const Placed& out);
p2p::Kernel columns_of(const Placed& whole, std::size_t first, const Placed& out);
p2p::Kernel add(const Placed& to, const p2p::Tensor& what);
