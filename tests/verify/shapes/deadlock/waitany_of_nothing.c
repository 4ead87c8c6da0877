// Waitany over receives none of which can ever be satisfied.
// ranks: 3
// variant wrong: -DWRONG => deadlock at 0@waitany
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, values[2] = {0, 0}, which;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request requests[2];
    MPI_Irecv(&values[0], 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&values[1], 1, MPI_INT, 2, 4, MPI_COMM_WORLD, &requests[1]);
#ifdef WRONG
    MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);  // @waitany
    for (int r = 1; r < 3; r++) MPI_Send(&which, 1, MPI_INT, r, 3, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#else
    which = 0;
    for (int r = 1; r < 3; r++) MPI_Send(&which, 1, MPI_INT, r, 3, MPI_COMM_WORLD);
    while (MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE) == MPI_SUCCESS && which != MPI_UNDEFINED) continue;
#endif
  } else {
    int go;
    MPI_Recv(&go, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
