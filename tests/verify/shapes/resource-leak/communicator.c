// A communicator is duplicated or split in a helper and never freed.
// ranks: 2 3
// variant dup: -DWRONG=1 => resource-leak
// variant split: -DWRONG=2 => resource-leak
// variant right: => pass
// quick: dup/2
#include <mpi.h>

static int sum_over(int colour, int value) {
  MPI_Comm comm;
#if WRONG == 2
  MPI_Comm_split(MPI_COMM_WORLD, colour, 0, &comm);
#else
  (void)colour;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
#endif
  int sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
#ifndef WRONG
  MPI_Comm_free(&comm);
#endif
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int sum = sum_over(rank % 2, 1);
  MPI_Finalize();
  return sum > 0 ? 0 : 1;
}
