// Lab 4: who owns the buffer? One buffer, used again before it is free. See TASK.md.
#include <numeric>

#include "lab.h"

constexpr int kBlocks = 8;

/// The numbers of a block, computed.
void produce(std::vector<double>& block, int number) {
  const lab::Compute compute;
  std::iota(block.begin(), block.end(), 1000.0 * number);
}

/// Uses a block; true if it is the one of this number.
bool consume(const std::vector<double>& block, int number) {
  const lab::Compute compute;
  for (std::size_t i = 0; i < block.size(); ++i)
    if (block[i] != 1000.0 * number + static_cast<double>(i)) return false;
  return true;
}

/// Even ranks: produce block after block and send it to `to`.
void give(int to, std::size_t numbers) {
  std::vector<double> buffer(numbers);
  MPI_Request request[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    produce(buffer, i);
    MPI_Isend(buffer.data(), static_cast<int>(numbers), MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &request[i]);
    // TODO: whose is `buffer` from here on?
  }
  MPI_Waitall(kBlocks, request, MPI_STATUSES_IGNORE);
}

/// Odd ranks: receive block after block from `from` and consume it.
void take(int from, std::size_t numbers) {
  std::vector<double> buffer(numbers);
  int wrong = 0;
  for (int i = 0; i < kBlocks; ++i) {
    MPI_Recv(buffer.data(), static_cast<int>(numbers), MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // TODO: consume one block while the next is under way.
    if (!consume(buffer, i)) ++wrong;
  }
  lab::number("wrong_blocks", wrong);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const auto numbers = static_cast<std::size_t>(lab::argument(argc, argv, 1, 64)) / sizeof(double);
  if (lab::rank() % 2 == 0) give(lab::rank() + 1, numbers);
  else take(lab::rank() - 1, numbers);
  MPI_Finalize();
}
