// Persistent requests that are freed while inactive, and null requests in arrays.
// ranks: 2
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 0, index, flag;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
  if (index != MPI_UNDEFINED) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  if (rank == 0)
    MPI_Ssend_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[2]);
  else
    MPI_Recv_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Wait(&requests[2], MPI_STATUS_IGNORE);  // inactive: returns at once
  for (int i = 0; i < 3; i++) {
    MPI_Start(&requests[2]);
    MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
    if (index != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Request_free(&requests[2]);
  MPI_Finalize();
  return 0;
}
