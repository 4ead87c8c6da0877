// The compiler's text is the answer.
// ranks: 2
// variant wrong: -DWRONG => build-error
// variant warns: -DWARNS -Wall => pass
// quick: wrong
#include <mpi.h>

int main(int argc, char **argv) {
#ifdef WRONG
  MPI_Init(&argc &argv);
#else
  MPI_Init(&argc, &argv);
#endif
#ifdef WARNS
  int unused;
#endif
  MPI_Finalize();
  return 0;
}
