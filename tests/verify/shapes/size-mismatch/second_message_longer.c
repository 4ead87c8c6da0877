// A loop whose messages grow while the receive's room stays.
// ranks: 2
// variant wrong: -DROOM=50 => size-mismatch
// variant right: -DROOM=80 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[80] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 1; round <= 4; round++) {
    if (rank == 0) MPI_Send(data, 20 * round, MPI_INT, 1, round, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(data, ROOM, MPI_INT, 0, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
