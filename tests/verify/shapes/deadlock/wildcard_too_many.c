// The master takes from anyone, once more often than anyone sends.
// ranks: 3 4
// variant wrong: -DEXTRA=1 => deadlock at 0@any
// variant right: -DEXTRA=0 => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size, total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != 0) {
    MPI_Send(&rank, 1, MPI_INT, 0, 100, MPI_COMM_WORLD);
  } else {
    for (int i = 0; i < size - 1 + EXTRA; i++) {
      int got;
      MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 100, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @any
      total += got;
    }
    printf("total %d\n", total);
  }
  MPI_Finalize();
  return 0;
}
