// Another thread goes on writing while the main thread's send is active.
// ranks: 2
// cflags: -pthread
// variant wrong: -DWRONG => send-buffer-race at 0@isend
// variant right: => pass
// quick: wrong
#include <mpi.h>

#include <thread>
#include <vector>

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> shared(5000, 1), own(5000, 2);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(shared.data(), 5000, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @isend
    std::thread worker([&] {
#ifdef WRONG
      auto& target = shared;
#else
      auto& target = own;
#endif
      for (int& x : target) x *= 3;
    });
    worker.join();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(own.data(), 5000, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
