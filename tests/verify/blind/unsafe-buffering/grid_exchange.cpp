// Neighbours in a 2 x 2 grid: everybody sends in both directions, then receives.
// ranks: 4
// variant wrong: -DWRONG => unsafe-buffering
// variant right: => pass
#include <mpi.h>

#include <initializer_list>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto partners = {rank ^ 1, rank ^ 2};
  std::vector<float> edge(100, 1.0f), halo(100);
#ifdef WRONG
  for (int p : partners) MPI_Send(edge.data(), 100, MPI_FLOAT, p, 5, MPI_COMM_WORLD);
  for (int p : partners) MPI_Recv(halo.data(), 100, MPI_FLOAT, p, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  for (int p : partners)
    MPI_Sendrecv(edge.data(), 100, MPI_FLOAT, p, 5, halo.data(), 100, MPI_FLOAT, p, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  MPI_Finalize();
}
