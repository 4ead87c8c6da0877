// A program that wants four ranks and says so.
// ranks: 2 4
// variant wrong 2: => wrong-exit
// variant right 4: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int size, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (size < 4) {
    if (rank == 0) fprintf(stderr, "please run me with at least 4 ranks\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Sendrecv_replace(&rank, 1, MPI_INT, rank ^ 2, 0, rank ^ 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
