// After Waitany only the one that completed may be read.
// ranks: 3
// variant wrong: -DWRONG => recv-buffer-race at 0@irecv
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ready = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    int value[2] = {0, 0}, which, total = 0;
    MPI_Request requests[2];
    for (int i = 0; i < 2; i++) MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);  // @irecv
    for (int left = 2; left > 0; left--) {
      MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
#ifdef WRONG
      total = value[0] + value[1];
#else
      total += value[which];
#endif
    }
    printf("%d\n", total);
  } else {
    ready = rank;
    MPI_Send(&ready, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
