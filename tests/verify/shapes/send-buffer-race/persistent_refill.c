// A persistent send is refilled between Start and Wait.
// ranks: 2
// sizes: tiny -DN=1, large -DN=9000
// variant wrong: -DWRONG => send-buffer-race at 0@start
// variant right: => pass
#include <mpi.h>

static double frame[N];

static void draw(int t) {
  for (int i = 0; i < N; i++) frame[i] = t + 0.001 * i;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Send_init(frame, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
  else
    MPI_Recv_init(frame, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
  for (int t = 0; t < 4; t++) {
#ifndef WRONG
    if (rank == 0) draw(t);
#endif
    MPI_Start(&request);  // @start
#ifdef WRONG
    if (rank == 0) draw(t);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
