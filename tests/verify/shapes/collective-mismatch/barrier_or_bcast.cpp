// One rank calls a barrier where the others broadcast.
// ranks: 2 4
// variant wrong: -DWRONG => collective-mismatch
// variant right: => pass
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<double> weights(64, rank == 0 ? 1.0 : 0.0);
#ifdef WRONG
  if (rank == 1)
    MPI_Barrier(MPI_COMM_WORLD);
  else
#endif
    MPI_Bcast(weights.data(), 64, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
