// The program checks its own assumption and ends with an error when another rank was faster.
// ranks: 4
// variant wrong: -DWRONG => message-race|wrong-exit
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size, status_code = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != 0) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
    for (int expected = 1; expected < size; expected++) {
      int who;
#ifdef WRONG
      int source = MPI_ANY_SOURCE;
#else
      int source = expected;
#endif
      MPI_Recv(&who, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (who != expected) {
        fprintf(stderr, "out of order: %d\n", who);
        status_code = 1;
      }
    }
  }
  MPI_Finalize();
  return status_code;
}
