// A rank that sleeps without end uses nothing but time.
// ranks: 2
// timeout: 8
// variant wrong: -DSECONDS=100000 => resource-limit
// variant right: -DSECONDS=1 => pass
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) sleep(SECONDS);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
