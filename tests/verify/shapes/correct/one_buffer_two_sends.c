// The same buffer may be sent to several ranks at once, and read meanwhile.
// ranks: 3 4
// sizes: tiny -DN=1, large -DN=20000
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *model = malloc(N * sizeof(int));
  if (rank == 0) {
    long sum = 0;
    MPI_Request *requests = malloc(size * sizeof *requests);
    for (int i = 0; i < N; i++) model[i] = i;
    requests[0] = MPI_REQUEST_NULL;
    for (int r = 1; r < size; r++) MPI_Isend(model, N, MPI_INT, r, 0, MPI_COMM_WORLD, &requests[r]);
    for (int i = 0; i < N; i++) sum += model[i];
    MPI_Waitall(size, requests, MPI_STATUSES_IGNORE);
    model[0] = (int)sum;
    free(requests);
  } else {
    MPI_Recv(model, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  free(model);
  MPI_Finalize();
  return 0;
}
