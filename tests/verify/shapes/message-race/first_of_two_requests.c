// Waits for any of two requests and counts on which of them it is; the right one uses the index.
// ranks: 3
// variant aborts: -DWRONG=1 => message-race at 0@any
// variant crashes: -DWRONG=2 => message-race at 0@any
// variant right: => pass
// quick: aborts right
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, parts[2] = {0, 0}, first = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i) MPI_Irecv(&parts[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitany(2, requests, &first, MPI_STATUS_IGNORE);  // @any
    MPI_Wait(&requests[1 - first], MPI_STATUS_IGNORE);
#if WRONG == 1
    if (first != 0) MPI_Abort(MPI_COMM_WORLD, 3);
#elif WRONG == 2
    if (first != 0) abort();
#else
    if (parts[first] != first + 1) MPI_Abort(MPI_COMM_WORLD, 3);
#endif
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
