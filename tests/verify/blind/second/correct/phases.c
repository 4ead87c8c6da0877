// Wildcard receives in phases that a collective separates.
// ranks: 3
// variant right: => pass
// variant wrong: -DWRONG => message-race
#include <mpi.h>
#include <stdio.h>

static int collect(int size) {
  int sum = 0;
  for (int i = 1; i < size; i++) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += value;
  }
  return sum;
}

int main(int argc, char **argv) {
  int rank, size, go = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int phase = 1; phase <= 2; phase++) {
    int value = rank * (phase == 1 ? 1 : 100);
    if (rank == 0)
      printf("phase %d: %d\n", phase, collect(size));
    else
      MPI_Send(&value, 1, MPI_INT, 0, phase, MPI_COMM_WORLD);
#ifndef WRONG
    MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
#endif
  }
  (void)go;
  MPI_Finalize();
  return 0;
}
