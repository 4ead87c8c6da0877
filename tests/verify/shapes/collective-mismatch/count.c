// The ranks do not agree on how much is broadcast, reduced or gathered.
// ranks: 2 3
// variant bcast: -DOP=1 -DWRONG => collective-mismatch also size-mismatch
// variant allreduce: -DOP=2 -DWRONG => collective-mismatch also size-mismatch
// variant gather: -DOP=3 -DWRONG => collective-mismatch also size-mismatch
// variant bcast-right: -DOP=1 => pass
// variant allreduce-right: -DOP=2 => pass
// variant gather-right: -DOP=3 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  static int in[64], out[512];
  int rank, count = 16;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
  if (rank == 1) count = 12;
#endif
#if OP == 1
  MPI_Bcast(out, count, MPI_INT, 0, MPI_COMM_WORLD);
#elif OP == 2
  MPI_Allreduce(in, out, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
#else
  MPI_Gather(in, count, MPI_INT, out, 16, MPI_INT, 0, MPI_COMM_WORLD);
#endif
  MPI_Finalize();
  return in[0];
}
