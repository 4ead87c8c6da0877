// Two wildcard receives posted ahead, their results used by position; by source in the right one.
// ranks: 3
// sizes: tiny -DN=1, large -DN=20000
// variant wrong: -DWRONG => message-race
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

static int block[2][N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    for (int i = 0; i < 2; i++) MPI_Irecv(block[i], N, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(2, requests, statuses);
#ifdef WRONG
    int of_one = 0;
#else
    int of_one = statuses[0].MPI_SOURCE == 1 ? 0 : 1;
#endif
    printf("one %d two %d\n", block[of_one][0], block[1 - of_one][0]);
  } else {
    block[0][0] = rank;
    MPI_Send(block[0], N, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
