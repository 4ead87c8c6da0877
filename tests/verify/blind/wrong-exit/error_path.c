// A rank that does not like its input leaves with exit(1).
// ranks: 3
// variant wrong: -DLIMIT=1 => wrong-exit
// variant right: -DLIMIT=10 => pass
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > LIMIT) {
    fprintf(stderr, "rank %d: input too large\n", rank);
    exit(1);
  }
  MPI_Finalize();
  return 0;
}
