// MPI is initialised a second time.
// ranks: 2
// variant wrong: -DWRONG => invalid-argument
// variant right: => pass
#include <mpi.h>

static void setup_library(int *argc, char ***argv) {
#ifndef WRONG
  int already;
  MPI_Initialized(&already);
  if (already) return;
#endif
  MPI_Init(argc, argv);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  setup_library(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
