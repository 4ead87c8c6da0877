// Polls with Test for seconds while the peer computes: neither a deadlock nor a livelock.
// ranks: 2
// timeout: 60
// variant short: -DSECONDS=0.2 => pass
// variant long: -DSECONDS=6.5 => pass
// quick: short
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0, flag = 0;
  long polls = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    while (!flag) {
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      polls++;
    }
    printf("%d after %s polls\n", value, polls > 1 ? "some" : "few");
  } else {
    volatile double x = 1;
    for (double begin = MPI_Wtime(); MPI_Wtime() - begin < SECONDS;)
      for (int i = 0; i < 1000; i++) x *= 1.000001;
    value = 11;
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
