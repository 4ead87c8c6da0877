// Whoever comes first is added up, thousands of times: any order is right.
// ranks: 3
// variant blocking: -DN=8000 => pass
// variant posted: -DN=1500 -DPOSTED => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  static int values[2 * N];
  static MPI_Request requests[2 * N];
  int rank;
  long sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0) {
    for (int i = 0; i < N; i++) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
#ifdef POSTED
    for (int i = 0; i < 2 * N; i++) MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(2 * N, requests, MPI_STATUSES_IGNORE);
#else
    (void)requests;
    for (int i = 0; i < 2 * N; i++) MPI_Recv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    for (int i = 0; i < 2 * N; i++) sum += values[i];
    printf("%ld\n", sum);
  }
  MPI_Finalize();
  return 0;
}
