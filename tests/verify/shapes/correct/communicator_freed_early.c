// A communicator is freed while a receive on it is pending: it lives until that is complete.
// ranks: 2
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, in = 0, out;
  MPI_Comm side;
  MPI_Request requests[2];
  MPI_Comm_dup(MPI_COMM_WORLD, &side);
  MPI_Comm_rank(side, &rank);
  out = rank;
  MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, side, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, side, &requests[1]);
  MPI_Comm_free(&side);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return in == 1 - rank ? 0 : 1;
}
