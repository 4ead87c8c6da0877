// Odd but legal: another working directory, closed standard output, a cleaned environment, a library loaded at run time.
// ranks: 2
// variant directory: -DHABIT=1 => pass
// variant stdout: -DHABIT=2 => pass
// variant environment: -DHABIT=3 => pass
// variant dlopen: -DHABIT=4 => pass
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1, ok = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if HABIT == 1
  ok = chdir("/") == 0;
#elif HABIT == 2
  fclose(stdout);
#elif HABIT == 3
  ok = unsetenv("PATH") == 0;
#elif HABIT == 4
  void *library = dlopen("libm.so.6", RTLD_NOW);
  ok = library != NULL && dlsym(library, "cos") != NULL;
#endif
  MPI_Sendrecv_replace(&x, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return ok ? 0 : 1;
}
