// Collectives on two communicators in crossed order.
// ranks: 2
// variant wrong: -DWRONG => deadlock|collective-mismatch
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm a, b;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &a);
  MPI_Comm_dup(MPI_COMM_WORLD, &b);
#ifdef WRONG
  MPI_Barrier(rank ? a : b);
  MPI_Barrier(rank ? b : a);
#else
  MPI_Barrier(a);
  MPI_Barrier(b);
#endif
  MPI_Comm_free(&a);
  MPI_Comm_free(&b);
  MPI_Finalize();
  return 0;
}
