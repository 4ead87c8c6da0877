// The ranks do not agree on the root.
// ranks: 2 3
// variant bcast: -DOP=1 -DROOT=rank => collective-mismatch
// variant reduce: -DOP=2 -DROOT=rank%2 => collective-mismatch
// variant gather: -DOP=3 -DROOT=rank => collective-mismatch
// variant bcast-right: -DOP=1 -DROOT=1 => pass
// variant reduce-right: -DOP=2 -DROOT=1 => pass
// variant gather-right: -DOP=3 -DROOT=1 => pass
// quick: reduce/3
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x, y = 0, all[8] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  x = rank;
#if OP == 1
  MPI_Bcast(&x, 1, MPI_INT, ROOT, MPI_COMM_WORLD);
#elif OP == 2
  MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, ROOT, MPI_COMM_WORLD);
#else
  MPI_Gather(&x, 1, MPI_INT, all, 1, MPI_INT, ROOT, MPI_COMM_WORLD);
#endif
  if (y + all[0] > 1000) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}
