#include "demos/tensor-parallel/block.h"

#include <algorithm>
#include <cmath>

#include "demos/p2p/kernels.h"

using p2p::run_on_host;
namespace kernels = p2p::kernels;

namespace {

Matrix product(const Matrix& a, bool a_transposed, const Matrix& b, bool b_transposed) {
  const std::size_t rows = a_transposed ? a.columns : a.rows, inner = a_transposed ? a.rows : a.columns, columns = b_transposed ? b.rows : b.columns;
  Matrix out(rows, columns);
  run_on_host({kernels::Gemm{a.data.data(), b.data.data(), out.data.data(), rows, columns, inner, a_transposed, b_transposed}, rows * columns});
  return out;
}

}  // namespace

Matrix multiply(const Matrix& a, const Matrix& b) { return product(a, false, b, false); }
Matrix multiply_transposed(const Matrix& a, const Matrix& b) { return product(a, false, b, true); }
Matrix transposed_multiply(const Matrix& a, const Matrix& b) { return product(a, true, b, false); }

Matrix gelu(const Matrix& h) {
  Matrix out(h.rows, h.columns);
  run_on_host({kernels::Gelu{h.data.data(), out.data.data()}, h.data.size()});
  return out;
}

Matrix gelu_backward(const Matrix& h, const Matrix& dg) {
  Matrix out(h.rows, h.columns);
  run_on_host({kernels::GeluGradient{h.data.data(), dg.data.data(), out.data.data()}, h.data.size()});
  return out;
}

Matrix columns_of(const Matrix& whole, std::size_t first, std::size_t count) {
  Matrix out(whole.rows, count);
  run_on_host({kernels::Columns{whole.data.data(), out.data.data(), whole.columns, first, count}, out.data.size()});
  return out;
}

Matrix rows_of(const Matrix& whole, std::size_t first, std::size_t count) {
  Matrix out(count, whole.columns);
  std::copy_n(whole.data.begin() + static_cast<std::ptrdiff_t>(first * whole.columns), count * whole.columns, out.data.begin());
  return out;
}

Matrix side_by_side(const Matrix& blocks, std::size_t parts) {
  Matrix out(blocks.rows / parts, blocks.columns * parts);
  run_on_host({kernels::SwapAxes{blocks.data.data(), out.data.data(), parts, out.rows, blocks.columns}, out.data.size()});
  return out;
}

Matrix in_blocks(const Matrix& whole, std::size_t parts) {
  Matrix out(whole.rows * parts, whole.columns / parts);
  run_on_host({kernels::SwapAxes{whole.data.data(), out.data.data(), whole.rows, parts, out.columns}, out.data.size()});
  return out;
}

Matrix numbers(std::size_t rows, std::size_t columns, std::size_t seed) {
  Matrix out(rows, columns);
  const float scale = 1 / std::sqrt(static_cast<float>(std::max<std::size_t>(rows, 1)));
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) out.at(r, c) = scale * std::sin(static_cast<float>(r * 7 + c * 3 + seed * 11));
  return out;
}

float largest_difference(const Matrix& a, const Matrix& b) {
  if (a.rows != b.rows || a.columns != b.columns) return HUGE_VALF;
  float out = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) out = std::max(out, std::abs(a.data[i] - b.data[i]));
  return out;
}

Step whole_step(const Matrix& x, const Weights& w, const Matrix& dy) {
  Step out;
  const Matrix h = multiply(x, w.a), g = gelu(h);
  out.y = multiply(g, w.b);
  const Matrix dh = gelu_backward(h, multiply_transposed(dy, w.b));
  out.db = transposed_multiply(g, dy);
  out.da = transposed_multiply(x, dh);
  out.dx = multiply_transposed(dh, w.a);
  return out;
}

ByTheBook sent_by_the_book(int t, double bytes) {
  const double part = static_cast<double>(t - 1) / t, wide = 4;
  // Gathered after each product, the wide activation goes round twice (its gradient is scattered the same way) and the narrow
  // one once; the gradient of X is a sum in any case.
  return {2 * 2 * part * bytes, (2 * wide + 1 + 2) * part * bytes, 2.0 * (t - 1) * bytes};
}
