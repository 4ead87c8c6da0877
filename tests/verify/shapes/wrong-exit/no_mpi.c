// A program that never calls MPI gives no evidence.
// ranks: 2
// variant wrong: -DWRONG => *
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
#ifndef WRONG
  MPI_Init(&argc, &argv);
#endif
  printf("%d arguments for %s\n", argc - 1, argv[0] ? "me" : "nobody");
#ifndef WRONG
  MPI_Finalize();
#endif
  return 0;
}
