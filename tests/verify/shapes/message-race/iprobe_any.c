// A polling loop with Iprobe over any source: received by status in the right one, blindly in the wrong one.
// ranks: 3
// variant right: => pass
// variant wrong: -DWRONG => message-race
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, table[3] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int got = 0; got < 2;) {
      int there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &there, &status);
      if (!there) continue;
      got++;
#ifdef WRONG
      MPI_Recv(&table[got], 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
      MPI_Recv(&table[status.MPI_SOURCE], 1, MPI_INT, status.MPI_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    }
    printf("%d %d\n", table[1], table[2]);
  } else {
    int value = rank * 1000;
    MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
