// An MPI rank: "ring" passes a number around, "deadlock" sends first everywhere, "crash" kills rank 1 by SIGSEGV.
#include <mpi.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "ring";
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
  if (what == "ring") {
    int number = -1;
    MPI_Status status;
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &number, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, &status);
    std::printf("%d from %d\n", number, previous);
  } else if (what == "deadlock") {
    std::vector<char> buffer(1 << 22);
    std::puts("sending");
    std::fflush(stdout);
    MPI_Send(buffer.data(), 1 << 22, MPI_CHAR, next, 0, MPI_COMM_WORLD);
  } else if (what == "crash") {
    if (rank == 1) std::raise(SIGSEGV);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
