// Every second element is received; the ones between may be used.
// ranks: 2
// sizes: small -DPAIRS=16, large -DPAIRS=10000
// variant wrong: -DOFFSET=0 => recv-buffer-race at 1@irecv
// variant right: -DOFFSET=1 => pass
#include <mpi.h>

static float values[2 * PAIRS];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype even;
  MPI_Type_vector(PAIRS, 1, 2, MPI_FLOAT, &even);
  MPI_Type_commit(&even);
  if (rank == 0) {
    MPI_Send(values, 1, even, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    float sum = 0;
    MPI_Irecv(values, 1, even, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
    for (int i = 0; i < PAIRS; i++) sum += values[2 * i + OFFSET];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (sum > 1e30f) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Type_free(&even);
  MPI_Finalize();
  return 0;
}
