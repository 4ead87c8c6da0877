// Lab 1: hello ping-pong. Wrong: the right text, and no message.
#include <cstdio>

#include "lab.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = static_cast<int>(lab::argument(argc, argv, 2, 10));
  for (int round = 0; round < rounds; ++round) std::printf(lab::rank() == 0 ? "ping %d\n" : "pong %d\n", round);
  MPI_Finalize();
}
