// Memory without end.
// ranks: 2
// timeout: 20
// variant wrong: -DWRONG => resource-limit|crash
// variant right: => pass
#include <mpi.h>

#include <cstring>
#include <list>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::list<std::vector<char>> hoard;
#ifdef WRONG
  const bool greedy = rank == 0;
#else
  const bool greedy = false;
#endif
  do {
    hoard.emplace_back(64 << 20);
    std::memset(hoard.back().data(), 1, hoard.back().size());
  } while (greedy);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
