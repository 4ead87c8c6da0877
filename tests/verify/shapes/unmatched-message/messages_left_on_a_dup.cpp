// Messages are left behind on a communicator that is freed.
// ranks: 2
// variant wrong: -DWRONG => unmatched-message
// variant right: => pass
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  MPI_Comm side;
  MPI_Comm_dup(MPI_COMM_WORLD, &side);
  MPI_Comm_rank(side, &rank);
  if (rank == 1)
    for (int i = 0; i < 3; ++i) MPI_Send(&i, 1, MPI_INT, 0, i, side);
#ifdef WRONG
  const int taken = 2;
#else
  const int taken = 3;
#endif
  if (rank == 0)
    for (int i = 0; i < taken; ++i) MPI_Recv(&x, 1, MPI_INT, 1, i, side, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_free(&side);
  MPI_Finalize();
}
