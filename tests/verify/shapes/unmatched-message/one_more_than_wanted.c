// The sender counts to five, the receiver to four.
// ranks: 2
// variant wrong: -DSENT=5 => unmatched-message
// variant right: -DSENT=4 => pass
#include <mpi.h>

#define WANTED 4

int main(int argc, char **argv) {
  int rank, i, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1)
    for (i = 0; i < SENT; i++) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (i = 0; i < WANTED; i++) MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
