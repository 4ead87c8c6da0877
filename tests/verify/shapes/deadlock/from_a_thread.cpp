// A thread receives from its own rank what the main thread sends: fine, unless the main thread waits for it first.
// ranks: 2
// cflags: -pthread
// timeout: 10
// variant wrong: -DWRONG => deadlock|resource-limit
// variant right: => pass
#include <mpi.h>

#include <chrono>
#include <thread>

int main(int argc, char** argv) {
  int provided, rank, out = 4, in = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::thread listener([&] { MPI_Recv(&in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); });
#ifdef WRONG
  listener.join();
  MPI_Send(&out, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
#else
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  MPI_Send(&out, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
  listener.join();
#endif
  MPI_Finalize();
  return in == 4 ? 0 : 1;
}
