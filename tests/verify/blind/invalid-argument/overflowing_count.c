// A size in bytes does not fit an int and comes out negative.
// ranks: 2
// variant wrong: -DELEMENTS=300000000L => invalid-argument
// variant right: -DELEMENTS=60L => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  char small[1024] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int bytes = (int)(ELEMENTS * (long)sizeof(double));
  if (rank == 0) MPI_Send(small, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(small, 1024, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
