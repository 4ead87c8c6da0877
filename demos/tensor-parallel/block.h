// The arithmetic of an MLP block, Y = gelu(X A) B, whole or cut over ranks.
#pragma once
#include <cstddef>
#include <vector>

/// Row after row.
struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<float> data;
  Matrix() = default;
  Matrix(std::size_t r, std::size_t c) : rows(r), columns(c), data(r * c) {}
  float& at(std::size_t r, std::size_t c) { return data[r * columns + c]; }
  float at(std::size_t r, std::size_t c) const { return data[r * columns + c]; }
};

Matrix multiply(const Matrix& a, const Matrix& b);             ///< a b
Matrix multiply_transposed(const Matrix& a, const Matrix& b);  ///< a b^T
Matrix transposed_multiply(const Matrix& a, const Matrix& b);  ///< a^T b
Matrix gelu(const Matrix& h);
/// dH of dG, where G = gelu(H).
Matrix gelu_backward(const Matrix& h, const Matrix& dg);
/// `count` columns, or rows, from `first` on.
Matrix columns_of(const Matrix& whole, std::size_t first, std::size_t count);
Matrix rows_of(const Matrix& whole, std::size_t first, std::size_t count);
/// Parts as all_gather leaves them, each a block of whole columns, side by side.
Matrix side_by_side(const Matrix& blocks, std::size_t parts);
/// The other way: the columns in blocks one after another, as reduce_scatter wants them.
Matrix in_blocks(const Matrix& whole, std::size_t parts);
/// Numbers between -1 and 1 over the square root of the rows, the same for the same seed.
Matrix numbers(std::size_t rows, std::size_t columns, std::size_t seed);
float largest_difference(const Matrix& a, const Matrix& b);

/// What one step of the block needs and yields. Where the block is cut, A and B are one rank's parts, and so are their gradients.
struct Weights {
  Matrix a, b;
};
struct Step {
  Matrix y;           ///< of X, forward
  Matrix dx, da, db;  ///< of dY, backward
};
/// The whole of it on one rank: what every cut has to come to.
Step whole_step(const Matrix& x, const Weights& w, const Matrix& dy);

/// Bytes that each of t ranks sends in one step by the book, of activations of `bytes`, the block four times as wide inside.
/// Collectives as rings: all-reduce 2(t-1)/t n, its halves (t-1)/t n each (Patarasuk and Yuan, JPDC 69(2), 2009).
struct ByTheBook {
  double megatron = 0, gather = 0, p2p = 0;
};
ByTheBook sent_by_the_book(int t, double bytes);
