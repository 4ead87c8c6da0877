// Answers are printed as they come, with their source: not reproducible, but nothing is mistaken for anything.
// ranks: 3 4
// variant status: => pass
// variant payload: -DPAYLOAD => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0) {
    int pair[2] = {rank, 100 * rank};
    MPI_Send(pair, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  for (int i = 1; rank == 0 && i < size; i++) {
    int pair[2];
    MPI_Status status;
    MPI_Recv(pair, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifdef PAYLOAD
    printf("result %d of rank %d\n", pair[1], pair[0]);
#else
    printf("result %d of rank %d\n", pair[1], status.MPI_SOURCE);
#endif
  }
  MPI_Finalize();
  return 0;
}
