// A loop that watches the buffer instead of the request.
// ranks: 2
// variant wrong: -DWRONG => recv-buffer-race at 1@irecv
// variant right: => pass
// quick: right
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank;
  volatile int mail = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    int value = 77;
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    int done = 0;
    MPI_Irecv((void *)&mail, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#ifdef WRONG
    while (mail != 77) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done) MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
    while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
#endif
    printf("%d\n", mail);
  }
  MPI_Finalize();
  return 0;
}
