// After a split the ranks are numbered anew; the wrong one mixes old numbers with the new communicator.
// ranks: 4
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int world, local, value = 0;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm_split(MPI_COMM_WORLD, world % 2, -world, &half);  // numbered backwards
  MPI_Comm_rank(half, &local);
#ifdef WRONG
  int me = world / 2;
#else
  int me = local;
#endif
  if (me == 0) {
    MPI_Recv(&value, 1, MPI_INT, 1, 0, half, MPI_STATUS_IGNORE);
  } else {
    MPI_Ssend(&world, 1, MPI_INT, 0, 0, half);
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
