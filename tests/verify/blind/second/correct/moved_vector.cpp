// A vector is moved while it is sent: its elements stay where they are. Copying into it is another thing.
// ranks: 2
// variant right: => pass
// variant wrong: -DWRONG => send-buffer-race
#include <mpi.h>

#include <algorithm>
#include <utility>
#include <vector>

struct Outbox {
  std::vector<int> data;
  MPI_Request request = MPI_REQUEST_NULL;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<Outbox> boxes;
  if (rank == 0) {
    for (int i = 0; i < 5; ++i) {
      std::vector<int> work(200, i);
      Outbox box;
      box.data = std::move(work);
      boxes.push_back(std::move(box));  // the outboxes move when there is no more room; their data does not
      MPI_Isend(boxes.back().data.data(), 200, MPI_INT, 1, i, MPI_COMM_WORLD, &boxes.back().request);
#ifdef WRONG
      const std::vector<int> zeros(200, 0);
      std::copy(zeros.begin(), zeros.end(), boxes.back().data.begin());
#endif
    }
    for (Outbox& box : boxes) MPI_Wait(&box.request, MPI_STATUS_IGNORE);
  } else {
    std::vector<int> in(200);
    for (int i = 0; i < 5; ++i) MPI_Recv(in.data(), 200, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
