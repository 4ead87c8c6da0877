// A read whose value is thrown away is a read, too.
// ranks: 2
// variant wrong: -DWRONG => recv-buffer-race at 1@irecv
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  double value = 0, copy = 0;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    value = 2.5;
    MPI_Ssend(&value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#ifdef WRONG
    copy = value;
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    copy = value;
  }
  (void)copy;
  MPI_Finalize();
  return 0;
}
