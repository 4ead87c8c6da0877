// A std::string is sent and appended to.
// ranks: 2
// variant wrong: -DWRONG => send-buffer-race
// variant right: => pass
#include <mpi.h>

#include <string>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::string log(100, '-');
  if (rank == 1) {
    MPI_Request r;
    MPI_Isend(log.data(), 100, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &r);
#ifdef WRONG
    log[99] = '!';
#endif
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    log += std::string(500, '+');
  } else {
    MPI_Recv(log.data(), 100, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
