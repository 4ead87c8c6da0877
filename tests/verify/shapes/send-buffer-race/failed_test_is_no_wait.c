// A Test that says "not yet" does not give the buffer back.
// ranks: 2
// variant wrong: -DWRONG => send-buffer-race at 0@isend
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  enum { COUNT = 1 << 18 };
  MPI_Init(&argc, &argv);
  int rank, done = 0, go = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *data = calloc(COUNT, sizeof *data);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(data, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @isend
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);  // rank 1 cannot have received yet
#ifdef WRONG
    data[0] = 9;
#else
    if (done) data[0] = 9;
#endif
    MPI_Send(&go, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    data[1] = 9;
  } else {
    MPI_Recv(&go, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  free(data);
  MPI_Finalize();
  return 0;
}
