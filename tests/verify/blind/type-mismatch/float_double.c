// Twice as many floats are sent as doubles are received.
// ranks: 2
// variant wrong: -DT=MPI_FLOAT -DK=2 => type-mismatch
// variant right: -DT=MPI_DOUBLE -DK=1 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  double v[50] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1)
    MPI_Ssend(v, 50 * K, T, 0, 9, MPI_COMM_WORLD);
  else
    MPI_Recv(v, 50, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
