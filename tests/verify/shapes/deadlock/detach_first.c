// Both ranks send into the attached buffer; in the wrong order both detach it before they receive: that waits until the
// messages have left, and a large one leaves only when it is received.
// ranks: 2
// sizes: large -DN=16384
// variant wrong large: -DWRONG => deadlock at 0@detach 1@detach
// variant right: => pass
// quick: wrong/large/2
#include <mpi.h>
#include <stdlib.h>

static double out[N], in[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int size = (int)sizeof out + MPI_BSEND_OVERHEAD;
  void *space = malloc((size_t)size);
  MPI_Buffer_attach(space, size);
  for (int i = 0; i < N; i++) out[i] = rank + i;
  MPI_Bsend(out, N, MPI_DOUBLE, 1 - rank, 2, MPI_COMM_WORLD);
#ifndef WRONG
  MPI_Recv(in, N, MPI_DOUBLE, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  MPI_Buffer_detach(&space, &size);  // @detach
#ifdef WRONG
  MPI_Recv(in, N, MPI_DOUBLE, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  free(space);
  MPI_Finalize();
  return in[0] < 0;
}
