// Work goes on in the half of an array that has arrived; the wrong one takes the halves for each other.
// ranks: 2
// sizes: small -DHALF=50, large -DHALF=60000
// variant wrong: -DWRONG => recv-buffer-race
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *v = calloc(2 * HALF, sizeof *v), s = 0;
  if (rank == 0) {
    MPI_Send(v, HALF, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    MPI_Send(v + HALF, HALF, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  } else {
    MPI_Request q[2];
    for (int h = 0; h < 2; h++) MPI_Irecv(v + h * HALF, HALF, MPI_DOUBLE, 0, h, MPI_COMM_WORLD, q + h);
    MPI_Wait(q, MPI_STATUS_IGNORE);
#ifdef WRONG
    double *ready = v + HALF;
#else
    double *ready = v;
#endif
    for (int flag = 0, i = 0; !flag || i < HALF; i++) {
      if (i < HALF) s += ready[i];
      if (!flag && i >= HALF / 2) MPI_Test(q + 1, &flag, MPI_STATUS_IGNORE);
    }
  }
  free(v);
  MPI_Finalize();
  return s < 0;
}
