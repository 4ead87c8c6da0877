// A persistent receive's buffer is read one step too early.
// ranks: 2
// sizes: tiny -DN=2, large -DN=12000
// variant wrong: -DWRONG => recv-buffer-race at 1@start
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

static double field[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int t = 0; t < 3; t++) {
      field[0] = t;
      MPI_Send(field, N, MPI_DOUBLE, 1, t, MPI_COMM_WORLD);
    }
  } else {
    MPI_Request recv[3];
    double sum = 0;
    for (int t = 0; t < 3; t++) MPI_Recv_init(field, N, MPI_DOUBLE, 0, t, MPI_COMM_WORLD, &recv[t]);
    for (int t = 0; t < 3; t++) {
      MPI_Start(&recv[t]);  // @start
#ifdef WRONG
      sum += field[0];
      MPI_Wait(&recv[t], MPI_STATUS_IGNORE);
#else
      MPI_Wait(&recv[t], MPI_STATUS_IGNORE);
      sum += field[0];
#endif
    }
    for (int t = 0; t < 3; t++) MPI_Request_free(&recv[t]);
    printf("%g\n", sum);
  }
  MPI_Finalize();
  return 0;
}
