// A receive for a message that may come or not: cancelled at the end, and the outcome asked for.
// ranks: 2
// variant never-sent: -DSENT=0 => pass
// variant sent: -DSENT=1 => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, stop = 0, cancelled = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&stop, 1, MPI_INT, 1, 42, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
#if SENT
    MPI_Wait(&request, &status);
#else
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    stop = 5;
#endif
    printf("%s\n", cancelled ? "nobody said stop" : "stop");
  } else {
#if SENT
    MPI_Send(&rank, 1, MPI_INT, 0, 42, MPI_COMM_WORLD);
#endif
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
