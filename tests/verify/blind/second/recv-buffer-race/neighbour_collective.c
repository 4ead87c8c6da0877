// The result of a non-blocking gather is read on the root before it is complete.
// ranks: 3
// variant wrong: -DWRONG => recv-buffer-race
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, all[8] = {0}, sum = 0;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Igather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
#ifndef WRONG
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
  for (int r = 0; rank == 0 && r < size; r++) sum += all[r];
#ifdef WRONG
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
  MPI_Finalize();
  return sum < 0;
}
