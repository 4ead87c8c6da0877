// Output without end.
// ranks: 2
// timeout: 20
// variant wrong: -DLINES=2000000000L => resource-limit
// variant right: -DLINES=3000L => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (long i = 0; i < LINES; i++) printf("line %ld: there is always something to say, is there not, and more of it\n", i);
  MPI_Finalize();
  return 0;
}
