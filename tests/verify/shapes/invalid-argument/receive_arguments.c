// The same mistakes on the receiving side, and a null status pointer's legal replacement.
// ranks: 2
// variant null: -DWRONG=1 => invalid-argument
// variant count: -DWRONG=2 => invalid-argument
// variant tag: -DWRONG=3 => invalid-argument
// variant source: -DWRONG=4 => invalid-argument
// variant right: => pass
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  int *buffer = &value, count = 1, tag = 0, source = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if WRONG == 1
  buffer = NULL;
#elif WRONG == 2
  count = -3;
#elif WRONG == 3
  tag = -7;
#elif WRONG == 4
  source = 17;
#endif
  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(buffer, count, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
  MPI_Finalize();
  return 0;
}
