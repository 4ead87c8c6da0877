// All ranks of Reduce_scatter name the same total, but not the same shares of it.
// ranks: 2 3
// variant wrong: -DHOW=1 => collective-mismatch
// variant non-blocking: -DHOW=2 => collective-mismatch
// variant right: -DHOW=0 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  static int in[16], out[16];
  int rank, counts[3] = {4, 4, 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1 && HOW > 0) counts[0] = 3, counts[1] = 5;
  if (HOW == 2) {
    MPI_Request request;
    MPI_Ireduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
