// Buffered sends may come first on both sides: their buffer was provided by the user.
// ranks: 2
// sizes: tiny -DN=1, large -DN=20000
// variant bsend: -DBSEND => pass
// variant ibsend: -DIBSEND => pass
// variant standard tiny: => unsafe-buffering at 0@send 1@send
// variant standard large: => deadlock at 0@send 1@send
// quick: bsend/large standard/tiny
#include <mpi.h>
#include <stdlib.h>

static int out[N], in[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int peer = 1 - rank;
#if defined(BSEND) || defined(IBSEND)
  int size;
  MPI_Pack_size(N, MPI_INT, MPI_COMM_WORLD, &size);
  size += MPI_BSEND_OVERHEAD;
  void *space = malloc(size);
  MPI_Buffer_attach(space, size);
#endif
#if defined(BSEND)
  MPI_Bsend(out, N, MPI_INT, peer, 0, MPI_COMM_WORLD);
#elif defined(IBSEND)
  MPI_Request request;
  MPI_Ibsend(out, N, MPI_INT, peer, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
  MPI_Send(out, N, MPI_INT, peer, 0, MPI_COMM_WORLD);  // @send
#endif
  MPI_Recv(in, N, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#if defined(BSEND) || defined(IBSEND)
  MPI_Buffer_detach(&space, &size);
  free(space);
#endif
  MPI_Finalize();
  return 0;
}
