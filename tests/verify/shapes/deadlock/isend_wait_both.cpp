// Non-blocking in name only: Isend and Wait at once on both sides.
// ranks: 2
// sizes: small -DN=100, large -DN=30000
// variant wrong small: -DWRONG => unsafe-buffering at 0@wait 1@wait
// variant wrong large: -DWRONG => deadlock at 0@wait 1@wait
// variant right: => pass
#include <mpi.h>

#include <vector>

struct Exchange {
  std::vector<double> out = std::vector<double>(N, 1.0), in = std::vector<double>(N);
  int peer;

  void run() {
    MPI_Request send;
    MPI_Isend(out.data(), N, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, &send);
#ifdef WRONG
    MPI_Wait(&send, MPI_STATUS_IGNORE);  // @wait
    MPI_Recv(in.data(), N, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Recv(in.data(), N, MPI_DOUBLE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
#endif
  }
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Exchange exchange;
  exchange.peer = 1 - rank;
  exchange.run();
  MPI_Finalize();
}
