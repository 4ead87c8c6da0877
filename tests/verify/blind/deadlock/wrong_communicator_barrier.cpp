// Half of the ranks wait on the world, half on their own part of it.
// ranks: 4
// variant wrong: -DWRONG => deadlock|collective-mismatch
// variant right: => pass
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm team;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &team);
#ifdef WRONG
  MPI_Barrier(rank == 0 ? MPI_COMM_WORLD : team);
#else
  MPI_Barrier(team);
#endif
  MPI_Comm_free(&team);
  MPI_Finalize();
}
