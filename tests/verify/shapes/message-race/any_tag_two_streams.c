// Two messages of one sender under different tags are received with any tag: order is guaranteed, so no race.
// ranks: 2
// variant one-sender: => pass
// variant swapped: -DSWAPPED => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, a = 0, b = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    int x = 1, y = 2;
#ifdef SWAPPED
    MPI_Send(&y, 1, MPI_INT, 0, 20, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 0, 10, MPI_COMM_WORLD);
#else
    MPI_Send(&x, 1, MPI_INT, 0, 10, MPI_COMM_WORLD);
    MPI_Send(&y, 1, MPI_INT, 0, 20, MPI_COMM_WORLD);
#endif
  } else {
    MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d then %d\n", a, b);
  }
  MPI_Finalize();
  return 0;
}
