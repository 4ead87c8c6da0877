// A chain of blocking calls of different kinds that closes on itself.
// ranks: 3
// variant wrong: -DWRONG => deadlock at 0@recv 1@ssend 2@wait
// variant right: => pass
#include <mpi.h>

#include <array>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::array<int, 8> data{};
  const int n = static_cast<int>(data.size());
  if (rank == 0) {
#ifndef WRONG
    MPI_Recv(data.data(), n, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Recv(data.data(), n, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
#ifdef WRONG
    MPI_Recv(data.data(), n, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  } else if (rank == 1) {
    MPI_Ssend(data.data(), n, MPI_INT, 0, 0, MPI_COMM_WORLD);  // @ssend
    MPI_Send(data.data(), n, MPI_INT, 2, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(data.data(), n, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
    MPI_Send(data.data(), n, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
