// The order of arrival is printed, by a function that is given the whole status; in the wrong one nobody asks who sent.
// ranks: 3
// variant wrong: -DWRONG => message-race
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

static int who(MPI_Status status) { return status.MPI_SOURCE; }

int main(int argc, char **argv) {
  int rank, value, order = 0;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < 2; i++) {
#ifdef WRONG
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    order = 10 * order + value;
#else
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    order = 10 * order + who(status);
#endif
  }
  if (rank == 0) printf("arrived: %d\n", order);
  (void)status;
  (void)who;
  MPI_Finalize();
  return 0;
}
