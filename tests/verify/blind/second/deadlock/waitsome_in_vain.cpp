// Waitsome over receives whose senders are in a reduction with everybody.
// ranks: 3
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, one = 1, all = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<int> in(size), indices(size);
  std::vector<MPI_Request> requests;
  const auto reduce = [&] { MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); };
  if (rank == 0) {
    for (int r = 1; r < size; ++r) MPI_Irecv(&in[r], 1, MPI_INT, r, 0, MPI_COMM_WORLD, &requests.emplace_back());
#ifndef WRONG
    reduce();
#endif
    for (int left = size - 1; left > 0;) {
      int some = 0;
      MPI_Waitsome(size - 1, requests.data(), &some, indices.data(), MPI_STATUSES_IGNORE);
      left -= some;
    }
#ifdef WRONG
    reduce();
#endif
  } else {
    reduce();
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
