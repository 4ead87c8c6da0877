// Thousands of requests in flight at once, completed by one Waitall.
// ranks: 2
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  enum { COUNT = 3000 };
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *values = calloc(COUNT, sizeof *values);
  MPI_Request *requests = malloc(COUNT * sizeof *requests);
  for (int i = 0; i < COUNT; i++) {
    if (rank == 0)
      MPI_Isend(&values[i], 1, MPI_INT, 1, i % 7, MPI_COMM_WORLD, &requests[i]);
    else
      MPI_Irecv(&values[i], 1, MPI_INT, 0, i % 7, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Waitall(COUNT, requests, MPI_STATUSES_IGNORE);
  free(requests);
  free(values);
  MPI_Finalize();
  return 0;
}
