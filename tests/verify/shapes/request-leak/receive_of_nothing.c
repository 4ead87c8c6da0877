// A receive is posted for a message that nobody sends, and forgotten, or cancelled properly.
// ranks: 2
// variant wrong: -DWRONG => request-leak at 0@irecv
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, 1, 99, MPI_COMM_WORLD, &request);  // @irecv
#ifndef WRONG
    int cancelled;
    MPI_Status status;
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled) MPI_Abort(MPI_COMM_WORLD, 1);
#endif
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
