// A buffer is freed twice after the exchange.
// ranks: 2
// variant wrong: -DWRONG => crash
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, *volatile p = malloc(40), *volatile again = p;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  p[0] = rank;
  MPI_Sendrecv_replace(p, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(p);
#ifdef WRONG
  free(again);
#else
  (void)again;
#endif
  MPI_Finalize();
  return 0;
}
