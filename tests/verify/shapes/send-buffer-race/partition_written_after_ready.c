// A part of a partitioned send is written after it was declared ready; the parts that are not ready may be written.
// ranks: 2
// variant wrong: -DWRONG => send-buffer-race
// variant right: => pass
#include <mpi.h>

enum { PARTS = 8, EACH = 64 };
static int data[PARTS][EACH];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Psend_init(data, PARTS, EACH, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int p = 0; p < PARTS; p++) {
      for (int i = 0; i < EACH; i++) data[p][i] = p;
      MPI_Pready(p, request);
#ifdef WRONG
      data[p][EACH - 1] = -1;
#endif
    }
  } else {
    MPI_Precv_init(data, PARTS, EACH, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
