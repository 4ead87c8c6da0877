// A buffered send completes at once, but nobody receives it.
// ranks: 2
// variant wrong: -DWRONG => unmatched-message at 0@bsend2
// variant right: => pass
// quick: wrong
#include <mpi.h>

int main(int argc, char **argv) {
  static char space[4096];
  int rank, size = sizeof space, value = 1;
  void *detached;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Buffer_attach(space, size);
  if (rank == 0) {
    MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // taken
    MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @bsend2
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef WRONG
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  }
  MPI_Buffer_detach(&detached, &size);
  MPI_Finalize();
  return 0;
}
