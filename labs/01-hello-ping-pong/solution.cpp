// Lab 1: hello ping-pong. Rank 0 asks, rank 1 answers.
#include "lab.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int bytes = static_cast<int>(lab::argument(argc, argv, 1, 8));
  const int rounds = static_cast<int>(lab::argument(argc, argv, 2, 10));
  std::vector<unsigned char> buffer(static_cast<std::size_t>(bytes));

  for (int round = 0; round < rounds; ++round) {
    if (lab::rank() == 0) {
      const auto question = lab::payload(static_cast<std::size_t>(bytes), round);
      MPI_Send(question.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(buffer.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(buffer.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(buffer.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
}
