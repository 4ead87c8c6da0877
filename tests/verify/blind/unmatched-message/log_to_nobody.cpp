// Log lines go to rank 0, which only reads those of errors.
// ranks: 2
// variant wrong: -DWRONG => unmatched-message
// variant right: => pass
#include <mpi.h>

#include <cstring>

enum Level { info = 10, error = 20 };

static void log(const char* text, Level level) {
  char line[80] = "";
  std::strncpy(line, text, 79);
  MPI_Send(line, 80, MPI_CHAR, 0, level, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    log("starting", info);
    log("no disk", error);
  } else {
    char line[80];
#ifndef WRONG
    MPI_Recv(line, 80, MPI_CHAR, 1, info, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Recv(line, 80, MPI_CHAR, 1, error, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
