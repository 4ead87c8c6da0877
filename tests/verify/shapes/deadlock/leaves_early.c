// A rank that finds nothing to do leaves while the others still count on it.
// ranks: 2 4
// variant receive: -DWRONG=1 => deadlock at 0@recv
// variant barrier: -DWRONG=2 => deadlock|collective-mismatch
// variant right: => pass
// quick: receive/4
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#if WRONG
  if (rank == size - 1) {  // "nothing to do"
    MPI_Finalize();
    return 0;
  }
#endif
#if WRONG == 2
  MPI_Barrier(MPI_COMM_WORLD);
#else
  int value = 10 * rank, sum = 0;
  if (rank == 0) {
    for (int r = 1; r < size; r++) {
      MPI_Recv(&value, 1, MPI_INT, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
      sum += value;
    }
  } else {
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
#endif
  MPI_Finalize();
  return 0;
}
