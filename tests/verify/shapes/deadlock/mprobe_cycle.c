// Matched probes on both sides before any send.
// ranks: 2
// variant wrong: -DWRONG => deadlock at 0@mprobe 1@mprobe
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, in = 0, out = 3;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Message message;
  MPI_Request request;
#ifndef WRONG
  MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
#endif
  MPI_Mprobe(1 - rank, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);  // @mprobe
  MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
#ifdef WRONG
  MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
#endif
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
