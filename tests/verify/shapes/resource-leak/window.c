// A window is made and never freed; MPICH aborts in MPI_Finalize over it.
// ranks: 2 3
// variant created: -DWRONG=1 => resource-leak at 0@made
// variant allocated: -DWRONG=2 => resource-leak
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int value = 0, *base = &value;
  MPI_Win window;
  MPI_Init(&argc, &argv);
#if WRONG == 2
  MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
#else
  MPI_Win_create(base, sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &window);  // @made
#endif
  MPI_Win_fence(0, window);
  MPI_Win_fence(0, window);
#ifndef WRONG
  MPI_Win_free(&window);
#endif
  MPI_Finalize();
  return 0;
}
