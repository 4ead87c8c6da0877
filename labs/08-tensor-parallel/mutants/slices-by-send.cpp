// Lab 8: a tensor-parallel MLP. Wrong: the parts are sent to rank 0 and back.
#include "mlp_block.h"

namespace {

/// The sum over all ranks, on every rank, through rank 0, and once more by the library.
Matrix sum(Matrix mine) {
  Matrix out = mine;
  if (lab::rank() != 0) MPI_Send(mine.data.data(), mine.size(), MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
  for (int rank = 1; rank < lab::size() && lab::rank() == 0; ++rank) MPI_Recv(out.data.data(), out.size(), MPI_FLOAT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(MPI_IN_PLACE, mine.data.data(), mine.size(), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  return mine;
}

}  // namespace

Matrix forward(const Matrix& x, const Matrix& a, const Matrix& b) { return sum(multiply(gelu(multiply(x, a)), b)); }

Matrix backward(const Matrix& x, const Matrix& a, const Matrix& b, const Matrix& dy) {
  const Matrix h = multiply(x, a);  // this rank's columns of it, computed again
  return sum(multiply_transposed(gelu_backward(h, multiply_transposed(dy, b)), a));
}
