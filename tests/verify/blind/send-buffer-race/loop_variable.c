// The loop's own variable is the buffer.
// ranks: 4
// variant wrong: -DWRONG => send-buffer-race at 0@isend
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, n;
  MPI_Request q[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (rank == 0) {
    int i, ids[8];
    for (i = 1; i < n; i++) {
#ifdef WRONG
      MPI_Isend(&i, 1, MPI_INT, i, 0, MPI_COMM_WORLD, &q[i - 1]);  // @isend
#else
      ids[i] = i;
      MPI_Isend(&ids[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &q[i - 1]);
#endif
    }
    MPI_Waitall(n - 1, q, MPI_STATUSES_IGNORE);
    (void)ids;
  } else {
    int id;
    MPI_Recv(&id, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
