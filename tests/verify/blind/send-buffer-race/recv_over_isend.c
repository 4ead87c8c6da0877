// A blocking receive lands in the buffer that is still being sent.
// ranks: 2
// sizes: small -DN=64, large -DN=100000
// variant wrong: -DWRONG => send-buffer-race|recv-buffer-race
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Request q;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *a = calloc(1, N), *b = calloc(1, N);
#ifdef WRONG
  char *to = a;
#else
  char *to = b;
#endif
  MPI_Isend(a, N, MPI_CHAR, !rank, 0, MPI_COMM_WORLD, &q);
  MPI_Recv(to, N, MPI_CHAR, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  free(a);
  free(b);
  MPI_Finalize();
  return 0;
}
