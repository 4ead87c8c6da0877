// Both ranks send first, and a communicator is never freed: the second defect does not hide the first.
// ranks: 2
// variant both: -DLEAKS -DFIRST => unsafe-buffering also resource-leak at 0@send
// variant leak: -DLEAKS => resource-leak
// variant right: => pass
// quick: both
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, out = 1, in = 0;
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
#ifdef FIRST
  MPI_Send(&out, 1, MPI_INT, 1 - rank, 0, copy);  // @send
  MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, copy, MPI_STATUS_IGNORE);
#else
  MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, copy, MPI_STATUS_IGNORE);
#endif
#ifndef LEAKS
  MPI_Comm_free(&copy);
#endif
  MPI_Finalize();
  return in != 1;
}
