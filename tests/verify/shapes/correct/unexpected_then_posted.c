// Messages pile up unexpected before their receives are posted, in another order by tag.
// ranks: 2
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  enum { COUNT = 20 };
  MPI_Init(&argc, &argv);
  int rank, values[COUNT];
  MPI_Request requests[COUNT];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < COUNT; i++) {
      values[i] = i;
      MPI_Isend(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(COUNT, requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = COUNT - 1; i >= 0; i--) {
      int value;
      MPI_Recv(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (value != i) MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  MPI_Finalize();
  return 0;
}
