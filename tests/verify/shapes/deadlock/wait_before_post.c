// Each waits for its receive before it has posted its send.
// ranks: 2
// sizes: tiny -DN=1, large -DN=65536
// variant wrong: -DWRONG => deadlock at 0@wait 1@wait
// variant right: => pass
#include <mpi.h>

static int out[N], in[N];

int main(int argc, char **argv) {
  int rank;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(in, N, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[0]);
#ifdef WRONG
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);  // @wait
  MPI_Isend(out, N, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
#else
  MPI_Isend(out, N, MPI_INT, !rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#endif
  MPI_Finalize();
  return 0;
}
