// A type error on a message that a wildcard receive takes.
// ranks: 3
// variant wrong: -DWRONG => type-mismatch
// variant right: => pass
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, v = 1, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) {
      MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += v;
    }
  } else {
#ifdef WRONG
    const MPI_Datatype type = rank == 2 ? MPI_UNSIGNED : MPI_INT;
#else
    const MPI_Datatype type = MPI_INT;
#endif
    MPI_Send(&v, 1, type, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
