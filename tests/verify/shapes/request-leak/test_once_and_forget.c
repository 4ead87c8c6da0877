// Test is called once, its flag not looked at.
// ranks: 2
// variant wrong: -DWRONG => request-leak at 0@irecv
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0, flag;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @irecv
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);  // nothing was sent yet
    MPI_Barrier(MPI_COMM_WORLD);
#ifndef WRONG
    if (!flag) MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
