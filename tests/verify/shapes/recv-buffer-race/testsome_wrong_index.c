// Testsome's list of indices is mistaken for a list of the first so many requests.
// ranks: 2
// variant wrong: -DWRONG => recv-buffer-race
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

enum { N = 3 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[N] = {0}, go = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request requests[N];
    int sum = 0, left = N, some, indices[N];
    for (int i = 0; i < N; i++) MPI_Irecv(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    for (int round = 0; left > 0; round++) {
      MPI_Send(&go, 1, MPI_INT, 1, 10, MPI_COMM_WORLD);  // the last one is answered first
      MPI_Waitsome(N, requests, &some, indices, MPI_STATUSES_IGNORE);
      for (int k = 0; k < some; k++) {
#ifdef WRONG
        sum += values[k];
#else
        sum += values[indices[k]];
#endif
      }
      left -= some;
    }
    printf("%d\n", sum);
  } else {
    for (int i = N - 1; i >= 0; i--) {
      MPI_Recv(&go, 1, MPI_INT, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
