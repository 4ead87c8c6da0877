// A rank leaves the loop of reductions one round early because its own criterion is local.
// ranks: 2 3
// variant wrong: -DWRONG => collective-mismatch|deadlock
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double local = 1.0 + rank, global = 1.0;
  int rounds = 0;
#ifdef WRONG
  while (local > 0.1) {
#else
  while (global > 0.1) {
#endif
    local *= 0.5;
    MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    rounds++;
  }
  printf("%d rounds\n", rounds);
  MPI_Finalize();
  return 0;
}
