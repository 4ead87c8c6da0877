#include "demos/tensor-parallel/placed.h"

#include <algorithm>

using p2p::Kernel;
namespace kernels = p2p::kernels;

Placed room(std::size_t rows, std::size_t columns) { return {rows, columns, p2p::Tensor::zeros({static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)})}; }

Placed place(const Matrix& matrix) {
  Placed out = room(matrix.rows, matrix.columns);
  out.tensor.put(std::as_bytes(std::span(matrix.data)));
  return out;
}

Matrix fetch(const Placed& placed) {
  Matrix out(placed.rows, placed.columns);
  const p2p::Tensor here = placed.tensor.host();
  std::copy(here.f32().begin(), here.f32().end(), out.data.begin());
  return out;
}

Kernel product(const Factor& a, const Factor& b, const Placed& out) {
  const std::size_t inner = a.transposed ? a.placed.rows : a.placed.columns;
  return {kernels::Gemm{a.placed.data(), b.placed.data(), out.data(), out.rows, out.columns, inner, a.transposed, b.transposed}, out.count()};
}

Kernel gelu(const Placed& h, const Placed& g) { return {kernels::Gelu{h.data(), g.data()}, h.count()}; }

Kernel gelu_backward(const Placed& h, const Placed& dg, const Placed& dh) { return {kernels::GeluGradient{h.data(), dg.data(), dh.data()}, h.count()}; }

Kernel side_by_side(const Placed& blocks, std::size_t parts, const Placed& out) {
  return {kernels::SwapAxes{blocks.data(), out.data(), parts, out.rows, blocks.columns}, out.count()};
}

Kernel in_blocks(const Placed& whole, std::size_t parts, const Placed& out) {
  return {kernels::SwapAxes{whole.data(), out.data(), whole.rows, parts, out.columns}, out.count()};
}

Kernel columns_of(const Placed& whole, std::size_t first, const Placed& out) {
  return {kernels::Columns{whole.data(), out.data(), whole.columns, first, out.columns}, out.count()};
}

Kernel add(const Placed& to, const p2p::Tensor& what) {
  return {kernels::Add{to.data(), reinterpret_cast<const float*>(what.data())}, to.count()};
}
