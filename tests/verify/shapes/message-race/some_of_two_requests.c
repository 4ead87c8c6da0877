// Takes what is complete of two requests by Waitsome, Testany or Testsome, and counts on what that is; the right one asks.
// ranks: 3
// variant waitsome: -DHOW=1 -DWRONG => message-race at 0@some
// variant testany: -DHOW=2 -DWRONG => message-race at 0@any
// variant testsome: -DHOW=3 -DWRONG => message-race at 0@tested
// variant both: -DHOW=4 -DWRONG => message-race at 0@some
// variant waitsome-right: -DHOW=1 => pass
// variant testany-right: -DHOW=2 => pass
// variant testsome-right: -DHOW=3 => pass
// variant both-right: -DHOW=4 => pass
// quick: waitsome testany testsome both waitsome-right testany-right testsome-right both-right
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, parts[2] = {0, 0}, number = 0, indices[2] = {-1, -1};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i) MPI_Irecv(&parts[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
#if HOW == 1 || HOW == 4
    MPI_Waitsome(2, requests, &number, indices, MPI_STATUSES_IGNORE);  // @some
#elif HOW == 2
    while (!number) MPI_Testany(2, requests, &indices[0], &number, MPI_STATUS_IGNORE);  // @any
#else
    while (number == 0) MPI_Testsome(2, requests, &number, indices, MPI_STATUSES_IGNORE);  // @tested
#endif
#if defined(WRONG) && HOW == 4
    if (number != 2) MPI_Abort(MPI_COMM_WORLD, 3);
#elif defined(WRONG)
    if (indices[0] != 0) MPI_Abort(MPI_COMM_WORLD, 3);
#endif
    for (int k = 0; k < number; ++k)
      if (parts[indices[k]] != indices[k] + 1) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (parts[0] != 1 || parts[1] != 2) MPI_Abort(MPI_COMM_WORLD, 3);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
