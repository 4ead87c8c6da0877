// Which of two named receives completes first is printed: not reproducible, but no message can be mistaken.
// ranks: 3
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    double values[2];
    MPI_Request requests[2];
    for (int i = 0; i < 2; i++) MPI_Irecv(&values[i], 1, MPI_DOUBLE, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 2; i++) {
      int which;
      MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
      printf("rank %d is there with %g\n", which + 1, values[which]);
    }
  } else {
    double value = rank / 4.0;
    MPI_Send(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
