// Lab 1: hello ping-pong. Rank 0 asks, rank 1 answers, ROUNDS times. See TASK.md.
#include <cstdio>

#include "lab.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int bytes = static_cast<int>(lab::argument(argc, argv, 1, 8));
  const int rounds = static_cast<int>(lab::argument(argc, argv, 2, 10));

  for (int round = 0; round < rounds; ++round) {
    if (lab::rank() == 0) {
      std::vector<unsigned char> question = lab::payload(static_cast<std::size_t>(bytes), round);
      // TODO: send `question` to rank 1, and receive the answer.
      std::printf("ping %d (%zu bytes)\n", round, question.size());
    } else {
      // TODO: receive from rank 0, and send back what came.
      std::printf("pong %d\n", round);
    }
  }
  MPI_Finalize();
}
