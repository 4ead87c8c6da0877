// An early wildcard receive takes the message that a later, named receive needs.
// ranks: 2
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, control = 0, data = 0, payload = 42;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request early;
#ifdef WRONG
    MPI_Irecv(&control, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &early);
#else
    MPI_Irecv(&control, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &early);
#endif
    MPI_Recv(&data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&data, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    MPI_Wait(&early, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&payload, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Recv(&payload, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&payload, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
