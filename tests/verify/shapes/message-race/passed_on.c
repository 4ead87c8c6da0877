// What came first is passed on to another rank, which believes it came from rank 1. A silent race: nothing is printed.
// ranks: 4
// variant wrong: -DWRONG => message-race
// variant sum: -DSUM => pass
// variant named: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, a = 0, b = 0, out;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1 || rank == 2) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else if (rank == 0) {
#if defined(WRONG) || defined(SUM)
    int one = MPI_ANY_SOURCE, two = MPI_ANY_SOURCE;
#else
    int one = 1, two = 2;
#endif
    MPI_Recv(&a, 1, MPI_INT, one, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&b, 1, MPI_INT, two, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef SUM
    out = a + b;
#else
    out = 10 * a + b;
#endif
    MPI_Send(&out, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
