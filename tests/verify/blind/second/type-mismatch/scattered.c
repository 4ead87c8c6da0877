// Root and others do not agree on the type of what is scattered.
// ranks: 2 3
// variant wrong: -DT=MPI_FLOAT => collective-mismatch|type-mismatch
// variant right: -DT=MPI_INT => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, all[40] = {0}, mine[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Scatter(all, 8, MPI_INT, mine, 8, rank == 0 ? MPI_INT : T, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
