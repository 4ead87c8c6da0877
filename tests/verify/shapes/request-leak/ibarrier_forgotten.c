// A non-blocking collective is started and never completed.
// ranks: 2 3
// variant wrong: -DWRONG => request-leak
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Request request;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
#ifndef WRONG
  int done = 0;
  while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
#endif
  MPI_Finalize();
  return 0;
}
