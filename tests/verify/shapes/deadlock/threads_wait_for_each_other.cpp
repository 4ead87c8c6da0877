// Both threads of a rank receive what only the other rank's threads would send afterwards.
// ranks: 2
// cflags: -pthread
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>

#include <thread>

static void exchange(int rank, int tag, bool send_first) {
  int in = 0, out = tag;
  if (send_first) MPI_Send(&out, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD);
  MPI_Recv(&in, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!send_first) MPI_Send(&out, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
  const bool first[2] = {false, false};
#else
  const bool first[2] = {rank == 0, rank == 1};
#endif
  std::thread other(exchange, rank, 1, first[0]);
  exchange(rank, 2, first[1]);
  other.join();
  MPI_Finalize();
}
