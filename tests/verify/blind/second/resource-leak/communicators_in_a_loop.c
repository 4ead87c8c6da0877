// A communicator for each step; the last one is freed, or all are.
// ranks: 2
// variant wrong: -DWRONG => resource-leak
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm step = MPI_COMM_NULL;
  for (int i = 0; i < 3; i++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &step);
    MPI_Barrier(step);
#ifndef WRONG
    MPI_Comm_free(&step);
#endif
  }
  if (step != MPI_COMM_NULL) MPI_Comm_free(&step);
  MPI_Finalize();
  return 0;
}
