// Given by the lab; not to be changed. An MLP block, Y = gelu(X A) B, cut over the ranks, and the whole of it to compare with.
#pragma once
#include <algorithm>
#include <cmath>

#include "lab.h"

constexpr int kTokens = 4;

/// Rows after rows.
struct Matrix {
  int rows = 0, columns = 0;
  std::vector<float> data;
  Matrix(int r, int c) : rows(r), columns(c), data(static_cast<std::size_t>(r) * static_cast<std::size_t>(c)) {}
  float& at(int r, int c) { return data[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c)]; }
  float at(int r, int c) const { return data[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c)]; }
  int size() const { return static_cast<int>(data.size()); }
};

inline Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows, b.columns);
  for (int r = 0; r < a.rows; ++r)
    for (int k = 0; k < a.columns; ++k)
      for (int c = 0; c < b.columns; ++c) out.at(r, c) += a.at(r, k) * b.at(k, c);
  return out;
}
/// a times the transpose of b.
inline Matrix multiply_transposed(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows, b.rows);
  for (int r = 0; r < a.rows; ++r)
    for (int c = 0; c < b.rows; ++c)
      for (int k = 0; k < a.columns; ++k) out.at(r, c) += a.at(r, k) * b.at(c, k);
  return out;
}
inline float gelu(float x) { return 0.5F * x * (1 + std::erf(x * 0.70710678F)); }
inline float gelu_slope(float x) { return 0.5F * (1 + std::erf(x * 0.70710678F)) + x * 0.39894228F * std::exp(-0.5F * x * x); }
inline Matrix gelu(Matrix x) {
  for (float& value : x.data) value = gelu(value);
  return x;
}
/// dH of dG, where G = gelu(H).
inline Matrix gelu_backward(const Matrix& h, Matrix dg) {
  for (std::size_t i = 0; i < dg.data.size(); ++i) dg.data[i] *= gelu_slope(h.data[i]);
  return dg;
}

/// Y of X, on every rank. `a` has the columns of A that belong to this rank, `b` the same rows of B. X is the same everywhere.
Matrix forward(const Matrix& x, const Matrix& a, const Matrix& b);
/// dX of dY, on every rank.
Matrix backward(const Matrix& x, const Matrix& a, const Matrix& b, const Matrix& dy);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int hidden = static_cast<int>(lab::argument(argc, argv, 1, 256)) / kTokens / static_cast<int>(sizeof(float));
  const int p = lab::size(), wide = 4 * hidden, part = wide / p, first = part * lab::rank();
  const auto filled = [](int rows, int columns, int kind) {
    Matrix out(rows, columns);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) out.at(r, c) = std::sin(static_cast<float>(r * 7 + c * 3 + kind * 11)) / std::sqrt(static_cast<float>(rows + columns));
    return out;
  };
  const Matrix x = filled(kTokens, hidden, 1), whole_a = filled(hidden, wide, 2), whole_b = filled(wide, hidden, 3), dy = filled(kTokens, hidden, 4);
  Matrix a(hidden, part), b(part, hidden);
  for (int r = 0; r < hidden; ++r)
    for (int c = 0; c < part; ++c) {
      a.at(r, c) = whole_a.at(r, first + c);
      b.at(c, r) = whole_b.at(first + c, r);
    }
  const Matrix y = forward(x, a, b), dx = backward(x, a, b, dy);
  const Matrix h = multiply(x, whole_a), right_y = multiply(gelu(h), whole_b);
  const Matrix right_dx = multiply_transposed(gelu_backward(h, multiply_transposed(dy, whole_b)), whole_a);
  float error = y.size() == right_y.size() && dx.size() == right_dx.size() ? 0 : 1;
  for (std::size_t i = 0; i < right_y.data.size() && error < 1; ++i) error = std::max({error, std::abs(y.data[i] - right_y.data[i]), std::abs(dx.data[i] - right_dx.data[i])});
  lab::number("error", error);
  MPI_Finalize();
}
