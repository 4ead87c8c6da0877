// Buffers are freed after completion and the allocator hands out the same addresses at once.
// ranks: 2
// sizes: tiny -DN=4, large -DN=30000
// variant right: => pass
#include <mpi.h>

#include <memory>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 30; ++i) {
    auto block = std::make_unique<int[]>(N);
    block[i % N] = i;
    MPI_Request request;
    if (rank == 0)
      MPI_Isend(block.get(), N, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
    else
      MPI_Irecv(block.get(), N, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
    int done = 0;
    if (i % 2)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    else
      while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    block[0] += 1;
  }
  MPI_Finalize();
}
