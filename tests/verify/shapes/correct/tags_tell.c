// Any tag from any source; the tag says what to do and the source where it belongs.
// ranks: 3
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, sum[3] = {0}, best[3] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0) {
    for (int i = 1; i <= 3; i++) {
      int value = rank * i;
      MPI_Send(&value, 1, MPI_INT, 0, i == 2 ? 200 : 100, MPI_COMM_WORLD);
    }
  } else {
    for (int i = 0; i < 6; i++) {
      MPI_Status status;
      int value;
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      if (status.MPI_TAG == 100) sum[status.MPI_SOURCE] += value;
      if (status.MPI_TAG == 200) best[status.MPI_SOURCE] = value;
    }
    printf("%d %d %d %d\n", sum[1], sum[2], best[1], best[2]);
  }
  MPI_Finalize();
  return 0;
}
