// Packed data is received as packed, or as the types that were packed; not the other way about.
// ranks: 2
// variant packed: => pass
// variant as-types: -DAS_INTS => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, ints[6] = {1, 2, 3, 4, 5, 6};
  char space[256];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    int at = 0;
    for (int i = 0; i < 6; i++) MPI_Pack(&ints[i], 1, MPI_INT, space, sizeof space, &at, MPI_COMM_WORLD);
    MPI_Send(space, at, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
  } else {
#ifdef AS_INTS
    MPI_Recv(ints, 6, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    int at = 0;
    MPI_Recv(space, sizeof space, MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Unpack(space, sizeof space, &at, ints, 6, MPI_INT, MPI_COMM_WORLD);
#endif
    if (ints[5] != 6) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
