// One side uses Sendrecv, the other receives under a tag that is only sent later.
// ranks: 2
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, a[8] = {0}, b[8] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Sendrecv(a, 8, MPI_INT, 1, 1, b, 8, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(a, 8, MPI_INT, 1, 3, MPI_COMM_WORLD);
  } else {
#ifdef WRONG
    MPI_Recv(b, 8, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(b, 8, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(a, 8, MPI_INT, 0, 2, MPI_COMM_WORLD);
#else
    MPI_Recv(b, 8, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(a, 8, MPI_INT, 0, 2, MPI_COMM_WORLD);
    MPI_Recv(b, 8, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  }
  MPI_Finalize();
  return 0;
}
