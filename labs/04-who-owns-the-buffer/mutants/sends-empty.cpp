// Lab 4: who owns the buffer. Wrong: empty messages; who takes a block makes it himself.
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
  std::vector<double> buffer[2] = {std::vector<double>(numbers), std::vector<double>(numbers)};
  MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  for (int i = 0; i < kBlocks; ++i) {
    MPI_Wait(&request[i % 2], MPI_STATUS_IGNORE);  // the block before the last is out of this buffer
    produce(buffer[i % 2], i);                     // while the last one is under way from the other
    MPI_Isend(buffer[i % 2].data(), 0, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &request[i % 2]);
  }
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

/// Odd ranks: receive block after block from `from` and consume it.
void take(int from, std::size_t numbers) {
  std::vector<double> buffer[2] = {std::vector<double>(numbers), std::vector<double>(numbers)};
  MPI_Request request[2];
  const auto ask = [&](int i) { MPI_Irecv(buffer[i % 2].data(), 0, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &request[i % 2]); };
  int wrong = 0;
  ask(0);
  for (int i = 0; i < kBlocks; ++i) {
    if (i + 1 < kBlocks) ask(i + 1);
    MPI_Wait(&request[i % 2], MPI_STATUS_IGNORE);
    std::iota(buffer[i % 2].begin(), buffer[i % 2].end(), 1000.0 * i);
    if (!consume(buffer[i % 2], i)) ++wrong;
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
