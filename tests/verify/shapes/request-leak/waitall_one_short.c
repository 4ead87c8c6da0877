// Waitall is given one request less than were started.
// ranks: 2 3
// variant wrong: -DWAITED=7 => request-leak
// variant right: -DWAITED=8 => pass
#include <mpi.h>

enum { COUNT = 8 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, values[COUNT] = {0};
  MPI_Request requests[COUNT];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == size - 1) {
    for (int i = 0; i < COUNT; i++) MPI_Irecv(&values[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(WAITED, requests, MPI_STATUSES_IGNORE);
  } else if (rank == 0) {
    for (int i = 0; i < COUNT; i++) MPI_Send(&values[i], 1, MPI_INT, size - 1, i, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
