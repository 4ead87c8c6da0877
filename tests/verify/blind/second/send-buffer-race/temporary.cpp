// What is sent belongs to a temporary that is gone at the semicolon.
// ranks: 2
// variant wrong: -DWRONG => send-buffer-race
// variant right: => pass
#include <mpi.h>

#include <string>

static std::string greeting(int rank) { return "this is a greeting from rank number " + std::to_string(rank) + " to its neighbour"; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char in[40];
  if (rank == 0) {
    MPI_Request request;
#ifdef WRONG
    MPI_Isend(greeting(rank).c_str(), 40, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
#else
    const std::string text = greeting(rank);
    MPI_Isend(text.c_str(), 40, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(in, 40, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
