// Both ranks poll until the other has said something, and say nothing themselves.
// ranks: 2
// timeout: 9
// variant wrong: -DWRONG => livelock
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, in = 0, out = 1, arrived = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request send = MPI_REQUEST_NULL, recv;
  MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &recv);
#ifndef WRONG
  MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &send);
#endif
  while (!arrived) MPI_Test(&recv, &arrived, MPI_STATUS_IGNORE);
#ifdef WRONG
  MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &send);
#endif
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
