// One thread sends, another receives: no rank is ever stuck although both "send first".
// ranks: 2
// cflags: -pthread
// sizes: tiny -DN=8, large -DN=100000
// variant right: => pass
#include <mpi.h>

#include <thread>
#include <vector>

int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<char> out(N, 'o'), in(N);
  std::thread receiver([&] { MPI_Recv(in.data(), N, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); });
  MPI_Send(out.data(), N, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
  receiver.join();
  MPI_Finalize();
  return in[0] == 'o' ? 0 : 1;
}
