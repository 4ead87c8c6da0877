// One rank polls for a message that the other sends only after it has received one.
// ranks: 2
// timeout: 9
// variant wrong: -DWRONG => livelock|deadlock
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0, flag = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
#ifndef WRONG
    MPI_Send(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
#endif
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
#ifdef WRONG
    MPI_Send(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
#endif
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
