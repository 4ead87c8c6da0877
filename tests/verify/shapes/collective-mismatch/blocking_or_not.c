// A blocking collective does not match a non-blocking one.
// ranks: 2
// variant wrong: -DWRONG => collective-mismatch|deadlock
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else
#endif
  {
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
