// Synchronous sends rendezvous at any size.
// sizes: empty -DN=0, tiny -DN=4, large -DN=100000
// variant wrong: -DWRONG => deadlock at 0@ssend 1@ssend
// variant issend: -DISSEND => pass
// variant right: => pass
#include <mpi.h>

#include <numeric>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<int> out(N), in(N);
  std::iota(out.begin(), out.end(), rank);
  const int peer = rank ^ 1;
  auto send = [&] { MPI_Ssend(out.data(), N, MPI_INT, peer, 7, MPI_COMM_WORLD); };  // @ssend
  auto receive = [&] { MPI_Recv(in.data(), N, MPI_INT, peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); };
#if defined(WRONG)
  send();
  receive();
#elif defined(ISSEND)
  MPI_Request request;
  MPI_Issend(out.data(), N, MPI_INT, peer, 7, MPI_COMM_WORLD, &request);
  receive();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  (void)send;
#else
  if (rank == 0) {
    send();
    receive();
  } else {
    receive();
    send();
  }
#endif
  MPI_Finalize();
}
