// The first message that a probe sees decides who leads, and the program cannot live with every leader.
// ranks: 3
// variant wrong: -DWRONG => message-race|wrong-exit
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, status_code = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    int leader, values[3] = {0};
    MPI_Status status;
#ifdef WRONG
    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    leader = status.MPI_SOURCE;
#else
    MPI_Probe(1, 0, MPI_COMM_WORLD, &status);
    leader = status.MPI_SOURCE;
#endif
    for (int r = 1; r < 3; r++) MPI_Recv(&values[r], 1, MPI_INT, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("leader says %d\n", values[leader]);
    if (leader != 1) status_code = 1;
  } else {
    int value = rank * 11;
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return status_code;
}
