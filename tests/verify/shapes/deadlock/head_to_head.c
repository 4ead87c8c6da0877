// Two ranks exchange their halves; in the wrong order both send first.
// sizes: tiny -DN=1, small -DN=1024, large -DN=16384, huge -DN=262144
// variant wrong tiny small: -DWRONG => unsafe-buffering at 0@first 1@first
// variant wrong large huge: -DWRONG => deadlock at 0@first 1@first
// variant right: => pass
// quick: wrong/small wrong/huge
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *mine = calloc(N, sizeof(int)), *theirs = calloc(N, sizeof(int));
  int peer = 1 - rank;
#ifdef WRONG
  MPI_Send(mine, N, MPI_INT, peer, 0, MPI_COMM_WORLD);  // @first
  MPI_Recv(theirs, N, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  if (rank == 0) {
    MPI_Send(mine, N, MPI_INT, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(theirs, N, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(theirs, N, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(mine, N, MPI_INT, peer, 0, MPI_COMM_WORLD);
  }
#endif
  free(mine);
  free(theirs);
  MPI_Finalize();
  return 0;
}
