// An error path returns before the wait.
// ranks: 2
// variant wrong: -DLIMIT=0 => request-leak at 1@irecv
// variant right: -DLIMIT=100 => pass
#include <mpi.h>

static int take(int limit) {
  int v = 0;
  static int keep;
  MPI_Request r;
  MPI_Irecv(&keep, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);  // @irecv
  if (limit < 1) return -1;
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  v = keep;
  return v;
}

int main(int argc, char **argv) {
  int rank, x = 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) x = take(LIMIT);
  MPI_Finalize();
  return x > 100;
}
