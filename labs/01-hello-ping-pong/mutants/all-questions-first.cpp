// Lab 1: hello ping-pong. Wrong: all questions are under way before the first answer.
#include "lab.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int bytes = static_cast<int>(lab::argument(argc, argv, 1, 8));
  const int rounds = static_cast<int>(lab::argument(argc, argv, 2, 10));
  std::vector<unsigned char> buffer(static_cast<std::size_t>(bytes));

  std::vector<std::vector<unsigned char>> out, in(static_cast<std::size_t>(rounds), buffer);
  std::vector<MPI_Request> requests;
  for (int round = 0; round < rounds; ++round) {
    auto& answer = in[static_cast<std::size_t>(round)];
    if (lab::rank() == 0) {
      out.push_back(lab::payload(static_cast<std::size_t>(bytes), round));
      MPI_Irecv(answer.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests.emplace_back());
      MPI_Isend(out.back().data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests.emplace_back());
    } else {
      MPI_Recv(answer.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(answer.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
