// A partitioned send of which one part is never declared ready.
// ranks: 2
// variant wrong: -DREADY=3 => deadlock also request-leak
// variant right: -DREADY=4 => pass
// quick: wrong
#include <mpi.h>

#define PARTS 4
#define EACH 256

int main(int argc, char **argv) {
  static double data[PARTS * EACH];
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Psend_init(data, PARTS, EACH, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int p = 0; p < READY; p++) {
      for (int i = 0; i < EACH; i++) data[p * EACH + i] = p;
      MPI_Pready(p, request);
    }
  } else {
    MPI_Precv_init(data, PARTS, EACH, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
