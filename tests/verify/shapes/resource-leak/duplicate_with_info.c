// A duplicate that is made by a non-blocking call is the program's own: it may be freed, and must be.
// ranks: 2 3
// variant unfreed: -DWRONG => resource-leak
// variant right: => pass
// quick: right/2
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, mine, theirs = -1;
  MPI_Comm copy;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  mine = rank;
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, 0, &theirs, 1, MPI_INT, (rank + size - 1) % size, 0, copy, MPI_STATUS_IGNORE);
  if (theirs != (rank + size - 1) % size) MPI_Abort(MPI_COMM_WORLD, 1);
#ifndef WRONG
  MPI_Comm_free(&copy);
#endif
  MPI_Finalize();
  return 0;
}
