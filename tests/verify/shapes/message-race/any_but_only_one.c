// A wildcard that only one message can ever match.
// ranks: 2 3
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, token = 5;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != 0) MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  token += rank;
  if (rank < size - 1) MPI_Send(&token, 1, MPI_INT, rank + 1, rank, MPI_COMM_WORLD);
  if (rank == size - 1) printf("%d\n", token);
  MPI_Finalize();
  return 0;
}
