// A barrier that only the odd ranks reach before the exchange.
// ranks: 4
// variant wrong: -DWRONG => deadlock|collective-mismatch
// variant right: => pass
#include <mpi.h>

static void sync_all(void) { MPI_Barrier(MPI_COMM_WORLD); }

int main(int argc, char **argv) {
  int r, x = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
#ifdef WRONG
  if (r & 1) sync_all();
#else
  sync_all();
#endif
  if (r & 1)
    MPI_Ssend(&x, 1, MPI_INT, r - 1, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(&x, 1, MPI_INT, r + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
