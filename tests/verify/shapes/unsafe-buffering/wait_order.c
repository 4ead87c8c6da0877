// Requests waited for one by one: a send before the receive that frees the other side.
// ranks: 2
// sizes: small -DN=64, large -DN=32768
// variant wrong small: -DWRONG => unsafe-buffering at 0@wait 1@wait
// variant wrong large: -DWRONG => deadlock at 0@wait 1@wait
// variant right: => pass
#include <mpi.h>

static int out[N], in[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Request send, recv;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Isend(out, N, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &send);
#ifdef WRONG
  MPI_Wait(&send, MPI_STATUS_IGNORE);  // @wait
  MPI_Irecv(in, N, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &recv);
#else
  MPI_Irecv(in, N, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &recv);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
#endif
  MPI_Wait(&recv, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
