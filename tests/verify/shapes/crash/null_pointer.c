// A rank reads through a null pointer after it has received.
// ranks: 2 3
// variant wrong: -DWRONG => crash
// variant right: => pass
// quick: wrong/2
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 3;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    int *volatile p = NULL;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef WRONG
    value = *p;
#else
    if (p != NULL) value = *p;
#endif
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
