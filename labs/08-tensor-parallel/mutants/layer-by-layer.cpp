// Lab 8: a tensor-parallel MLP. Wrong: a sum of the wide activations in place of one of the narrow ones.
#include "mlp_block.h"

namespace {

/// The sum over all ranks, on every rank.
Matrix sum(Matrix mine) {
  MPI_Allreduce(MPI_IN_PLACE, mine.data.data(), mine.size(), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  return mine;
}

}  // namespace

Matrix forward(const Matrix& x, const Matrix& a, const Matrix& b) {
  // All columns of the hidden layer, and all rows of B, by sums of what is elsewhere 0.
  const int part = a.columns, first = part * lab::rank();
  Matrix mine(x.rows, part * lab::size());
  const Matrix h = gelu(multiply(x, a));
  for (int r = 0; r < x.rows; ++r)
    for (int c = 0; c < part; ++c) mine.at(r, first + c) = h.at(r, c);
  const Matrix partial = multiply(h, b);
  Matrix wide(x.rows, mine.columns + b.columns);
  for (int r = 0; r < x.rows; ++r) {
    for (int c = 0; c < mine.columns; ++c) wide.at(r, c) = mine.at(r, c);
    for (int c = 0; c < b.columns; ++c) wide.at(r, mine.columns + c) = partial.at(r, c);
  }
  const Matrix both = sum(wide);
  Matrix y(x.rows, b.columns);
  for (int r = 0; r < x.rows; ++r)
    for (int c = 0; c < b.columns; ++c) y.at(r, c) = both.at(r, mine.columns + c);
  return y;
}

Matrix backward(const Matrix& x, const Matrix& a, const Matrix& b, const Matrix& dy) {
  const Matrix h = multiply(x, a);  // this rank's columns of it, computed again
  return sum(multiply_transposed(gelu_backward(h, multiply_transposed(dy, b)), a));
}
