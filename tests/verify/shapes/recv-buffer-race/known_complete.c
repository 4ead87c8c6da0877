// Request_get_status has said that the receive is complete: its data may be read before the request is freed.
// ranks: 2
// variant right: => pass
// variant wrong: -DWRONG => recv-buffer-race
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0, flag = 0, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    value = 3;
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
#ifdef WRONG
    sum += value;
#endif
    while (!flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    sum += value;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return sum < 0;
}
