// A rank that talks to itself, on MPI_COMM_SELF and on the world.
// ranks: 2 3
// sizes: tiny -DN=1, large -DN=30000
// variant right: => pass
// quick: right/tiny/2
#include <mpi.h>

static int out[N], in[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  out[0] = rank;
  MPI_Sendrecv(out, N, MPI_INT, 0, 1, in, N, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Request requests[2];
  MPI_Isend(out, N, MPI_INT, rank, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in, N, MPI_INT, rank, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (in[0] != rank) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}
