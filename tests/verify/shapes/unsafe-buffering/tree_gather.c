// A binary tree that sends up and down at once.
// ranks: 3 4
// sizes: tiny -DN=1, small -DN=500
// variant wrong: -DWRONG => unsafe-buffering
// variant right: => pass
#include <mpi.h>

static int up[N], down[N], got[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int parent = rank ? (rank - 1) / 2 : MPI_PROC_NULL;
  for (int child = 2 * rank + 1; child <= 2 * rank + 2 && child < size; child++) {
#ifdef WRONG
    MPI_Send(down, N, MPI_INT, child, 1, MPI_COMM_WORLD);
    MPI_Recv(got, N, MPI_INT, child, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Recv(got, N, MPI_INT, child, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(down, N, MPI_INT, child, 1, MPI_COMM_WORLD);
#endif
  }
  MPI_Send(up, N, MPI_INT, parent, 2, MPI_COMM_WORLD);
  MPI_Recv(got, N, MPI_INT, parent, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
