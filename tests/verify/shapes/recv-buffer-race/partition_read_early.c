// Parts of a partitioned receive may be read once they have arrived, and not before.
// ranks: 2
// variant wrong: -DWRONG => recv-buffer-race
// variant right: => pass
#include <mpi.h>

enum { PARTS = 4, EACH = 100 };
static double data[PARTS * EACH];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  double sum = 0;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Psend_init(data, PARTS, EACH, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int p = PARTS - 1; p >= 0; p--) {
      for (int i = 0; i < EACH; i++) data[p * EACH + i] = 1;
      MPI_Pready(p, request);
    }
  } else {
    MPI_Precv_init(data, PARTS, EACH, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int p = 0; p < PARTS; p++) {
#ifndef WRONG
      int arrived = 0;
      while (!arrived) MPI_Parrived(request, p, &arrived);
#endif
      for (int i = 0; i < EACH; i++) sum += data[p * EACH + i];
    }
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return sum < 0;
}
