// Request_free on a send is legal once it is known to have arrived; a send that nobody takes is not.
// ranks: 2
// variant acknowledged: => pass
// variant wrong: -DWRONG => unmatched-message|request-leak
#include <mpi.h>

static int data;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
#ifndef WRONG
    int ack;
    MPI_Recv(&ack, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    data = 1;
#endif
  } else {
#ifndef WRONG
    int ack = 1;
    MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&ack, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
  }
  MPI_Finalize();
  return 0;
}
