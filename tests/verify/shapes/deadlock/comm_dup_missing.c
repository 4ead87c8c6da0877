// Creating a communicator is collective; one rank does not take part.
// ranks: 2 3
// variant wrong: -DWRONG => deadlock|collective-mismatch
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm copy = MPI_COMM_NULL;
#ifdef WRONG
  if (rank < 1)
#endif
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
#ifdef WRONG
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#else
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, copy, MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, copy);
#endif
  if (copy != MPI_COMM_NULL) MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
