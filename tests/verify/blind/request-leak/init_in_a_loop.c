// Persistent requests are made anew in each step.
// ranks: 2
// variant wrong: -DWRONG => request-leak
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, v = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < 3; step++) {
    MPI_Request p;
    if (rank == 0)
      MPI_Send_init(&v, 1, MPI_INT, 1, step, MPI_COMM_WORLD, &p);
    else
      MPI_Recv_init(&v, 1, MPI_INT, 0, step, MPI_COMM_WORLD, &p);
    MPI_Start(&p);
    MPI_Wait(&p, MPI_STATUS_IGNORE);
#ifndef WRONG
    MPI_Request_free(&p);
#endif
  }
  MPI_Finalize();
  return 0;
}
