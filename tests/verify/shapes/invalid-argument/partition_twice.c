// A partition may be declared ready once per start, and must exist.
// ranks: 2
// variant twice: -DEXTRA=1 => invalid-argument
// variant beyond: -DEXTRA=4 => invalid-argument
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  static int data[4][8];
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Psend_init(data, 4, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int p = 0; p < 2; p++) MPI_Pready(p, request);
#ifdef EXTRA
    MPI_Pready(EXTRA, request);
#endif
    for (int p = 2; p < 4; p++) MPI_Pready(p, request);
  } else {
    MPI_Precv_init(data, 4, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
