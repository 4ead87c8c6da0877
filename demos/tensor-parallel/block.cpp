#include "demos/tensor-parallel/block.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr float kHalfRoot = 0.70710678F;  ///< of 2
constexpr float kDensity = 0.39894228F;   ///< 1 / sqrt(2 pi)

}  // namespace

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows, b.columns);
  for (std::size_t r = 0; r < a.rows; ++r)
    for (std::size_t k = 0; k < a.columns; ++k) {
      const float factor = a.at(r, k);
      for (std::size_t c = 0; c < b.columns; ++c) out.at(r, c) += factor * b.at(k, c);
    }
  return out;
}

Matrix multiply_transposed(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows, b.rows);
  for (std::size_t r = 0; r < a.rows; ++r)
    for (std::size_t c = 0; c < b.rows; ++c) {
      float sum = 0;
      for (std::size_t k = 0; k < a.columns; ++k) sum += a.at(r, k) * b.at(c, k);
      out.at(r, c) = sum;
    }
  return out;
}

Matrix transposed_multiply(const Matrix& a, const Matrix& b) {
  Matrix out(a.columns, b.columns);
  for (std::size_t k = 0; k < a.rows; ++k)
    for (std::size_t r = 0; r < a.columns; ++r) {
      const float factor = a.at(k, r);
      for (std::size_t c = 0; c < b.columns; ++c) out.at(r, c) += factor * b.at(k, c);
    }
  return out;
}

Matrix gelu(const Matrix& h) {
  Matrix out = h;
  for (float& x : out.data) x = 0.5F * x * (1 + std::erf(x * kHalfRoot));
  return out;
}

Matrix gelu_backward(const Matrix& h, const Matrix& dg) {
  Matrix out = dg;
  for (std::size_t i = 0; i < out.data.size(); ++i) {
    const float x = h.data[i];
    out.data[i] *= 0.5F * (1 + std::erf(x * kHalfRoot)) + x * kDensity * std::exp(-0.5F * x * x);
  }
  return out;
}

Matrix columns_of(const Matrix& whole, std::size_t first, std::size_t count) {
  Matrix out(whole.rows, count);
  for (std::size_t r = 0; r < whole.rows; ++r)
    for (std::size_t c = 0; c < count; ++c) out.at(r, c) = whole.at(r, first + c);
  return out;
}

Matrix rows_of(const Matrix& whole, std::size_t first, std::size_t count) {
  Matrix out(count, whole.columns);
  std::copy_n(whole.data.begin() + static_cast<std::ptrdiff_t>(first * whole.columns), count * whole.columns, out.data.begin());
  return out;
}

Matrix side_by_side(const Matrix& blocks, std::size_t parts) {
  const std::size_t rows = blocks.rows / parts, wide = blocks.columns;
  Matrix out(rows, wide * parts);
  for (std::size_t part = 0; part < parts; ++part)
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < wide; ++c) out.at(r, part * wide + c) = blocks.at(part * rows + r, c);
  return out;
}

Matrix in_blocks(const Matrix& whole, std::size_t parts) {
  const std::size_t wide = whole.columns / parts;
  Matrix out(whole.rows * parts, wide);
  for (std::size_t part = 0; part < parts; ++part)
    for (std::size_t r = 0; r < whole.rows; ++r)
      for (std::size_t c = 0; c < wide; ++c) out.at(part * whole.rows + r, c) = whole.at(r, part * wide + c);
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
