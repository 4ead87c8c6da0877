// Thousands of small messages in order, with and without acknowledgement.
// ranks: 2
// variant stream: => pass
// variant pingpong: -DPINGPONG => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 4000; i++) {
    if (rank == 0) {
      MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifdef PINGPONG
      MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    } else {
      MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (value != i) MPI_Abort(MPI_COMM_WORLD, 1);
#ifdef PINGPONG
      MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
    }
  }
  MPI_Finalize();
  return 0;
}
