// Lab 4: who owns the buffer. Wrong: no messages; each makes the blocks himself.
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

/// Each makes all blocks.
void alone(std::size_t numbers) {
  std::vector<double> buffer(numbers);
  int wrong = 0;
  for (int i = 0; i < kBlocks; ++i) {
    produce(buffer, i);
    if (!consume(buffer, i)) ++wrong;
  }
  lab::number("wrong_blocks", wrong);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const auto numbers = static_cast<std::size_t>(lab::argument(argc, argv, 1, 64)) / sizeof(double);
  alone(numbers);
  MPI_Finalize();
}
