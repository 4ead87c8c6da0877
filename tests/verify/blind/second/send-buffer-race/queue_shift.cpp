// The first of a vector of messages is erased while a later one is being sent: everything moves up.
// ranks: 2
// variant wrong: -DWRONG => send-buffer-race
// variant right: => pass
#include <mpi.h>

#include <deque>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
  std::vector<long> queue = {1, 2, 3, 4};
#else
  std::deque<long> queue = {1, 2, 3, 4};
#endif
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(&queue[2], 1, MPI_LONG, 1, 0, MPI_COMM_WORLD, &request);
#ifdef WRONG
    queue.erase(queue.begin());
#else
    queue.pop_front();  // leaves the others where they are
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&queue[0], 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
