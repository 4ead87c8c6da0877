// A broadcast down a binary tree; the wrong one computes a child's parent wrongly.
// ranks: 5
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *model = calloc(5000, sizeof(double));
#ifdef WRONG
  int parent = rank / 2;
#else
  int parent = (rank - 1) / 2;
#endif
  if (rank) MPI_Recv(model, 5000, MPI_DOUBLE, parent, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int c = 2 * rank + 1; c <= 2 * rank + 2; c++)
    if (c < size) MPI_Send(model, 5000, MPI_DOUBLE, c, 0, MPI_COMM_WORLD);
  free(model);
  MPI_Finalize();
  return 0;
}
