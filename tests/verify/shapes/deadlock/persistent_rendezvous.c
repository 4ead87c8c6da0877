// Persistent sends started and waited for on both sides before any receive.
// ranks: 2
// sizes: small -DN=16, large -DN=50000
// variant wrong small: -DWRONG => unsafe-buffering at 0@wait 1@wait
// variant wrong large: -DWRONG => deadlock at 0@wait 1@wait
// variant right: => pass
#include <mpi.h>

static int out[N], in[N];

int main(int argc, char **argv) {
  int rank, step;
  MPI_Request send, recv;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Send_init(out, N, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &send);
  MPI_Recv_init(in, N, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &recv);
  for (step = 0; step < 3; step++) {
    out[0] = step;
    MPI_Start(&send);
#ifdef WRONG
    MPI_Wait(&send, MPI_STATUS_IGNORE);  // @wait
    MPI_Start(&recv);
#else
    MPI_Start(&recv);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
#endif
    MPI_Wait(&recv, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&send);
  MPI_Request_free(&recv);
  MPI_Finalize();
  return 0;
}
