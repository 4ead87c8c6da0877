// A blocking receive into the buffer of a pending one.
// ranks: 2
// variant wrong: -DWRONG => recv-buffer-race
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, a[10] = {0}, b[10] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(a, 10, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Send(a, 10, MPI_INT, 1, 2, MPI_COMM_WORLD);
  } else {
    MPI_Request r;
    MPI_Irecv(a, 10, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
#ifdef WRONG
    MPI_Recv(a, 10, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Recv(b, 10, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Wait(&r, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0 * b[0];
}
