// A loop reuses its local value for each Isend and waits for all at the end: one slot each in the right one.
// ranks: 3
// variant wrong: -DWRONG => send-buffer-race
// variant right: => pass
#include <mpi.h>

#include <string>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<MPI_Request> requests;
  if (rank == 0) {
    std::vector<int> slots(size);
    for (int to = 1; to < size; ++to) {
#ifdef WRONG
      int& slot = slots[0];
#else
      int& slot = slots[to];
#endif
      slot = to * 100;
      MPI_Request request;
      MPI_Isend(&slot, 1, MPI_INT, to, 0, MPI_COMM_WORLD, &request);
      requests.push_back(request);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  } else {
    int value;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
