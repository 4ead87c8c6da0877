// Waitall over four receives, of which the neighbour only ever satisfies three.
// ranks: 2
// variant wrong: -DSENT=3 => deadlock at 1@waitall
// variant right: -DSENT=4 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  enum { SLOTS = 4 };
  int rank, slots[SLOTS] = {0};
  MPI_Request requests[SLOTS];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < SENT; i++) MPI_Isend(&slots[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(SENT, requests, MPI_STATUSES_IGNORE);
  } else {
    for (int i = 0; i < SLOTS; i++) MPI_Irecv(&slots[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(SLOTS, requests, MPI_STATUSES_IGNORE);  // @waitall
  }
  MPI_Finalize();
  return 0;
}
