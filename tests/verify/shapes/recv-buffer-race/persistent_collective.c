// The buffer of a persistent broadcast belongs to it from each start to each completion, and to the program in between.
// ranks: 2
// variant right: => pass
// variant read: -DWRONG=1 => recv-buffer-race at 1@read
// variant left: -DWRONG=2 => request-leak
// quick: read
#include <mpi.h>

#ifndef WRONG
#define WRONG 0
#endif

int main(int argc, char **argv) {
  int rank, seen = 0;
  int words[64] = {0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast_init(words, 64, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int round = 1; round <= 2; ++round) {
    if (rank == 0) words[63] = round;
    MPI_Start(&request);
#if WRONG == 1
    if (rank == 1) seen += words[63];  // @read
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    seen = words[63];
  }
#if WRONG != 2
  MPI_Request_free(&request);
#endif
  MPI_Finalize();
  return seen == 2 ? 0 : 1;
}
