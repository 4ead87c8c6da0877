// Tens of megabytes in one message: moving bytes is not waiting.
// ranks: 2
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  enum { BYTES = 64 << 20 };
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *out = calloc(BYTES, 1), *in = calloc(BYTES, 1);
  MPI_Sendrecv(out, BYTES, MPI_CHAR, 1 - rank, 0, in, BYTES, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
