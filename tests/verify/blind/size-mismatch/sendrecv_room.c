// One direction of a Sendrecv has less room than is sent.
// ranks: 2
// variant wrong: -DROOM=10 => size-mismatch
// variant right: -DROOM=20 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, out[20] = {0}, in[20];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Sendrecv(out, 20, MPI_INT, 1 - rank, 0, in, rank ? ROOM : 20, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
