// A class that owns a request but only waits when it is asked to.
// ranks: 2
// variant wrong: -DWRONG => request-leak
// variant right: => pass
#include <mpi.h>

#include <vector>

class Pending {
 public:
  Pending(std::vector<int>& data, int to) {
    MPI_Isend(data.data(), static_cast<int>(data.size()), MPI_INT, to, 0, MPI_COMM_WORLD, &request_);
  }
  ~Pending() {
#ifndef WRONG
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
#endif
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> data(10, rank);
  if (rank == 0) Pending sending(data, 1);
  if (rank == 1) MPI_Recv(data.data(), 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
