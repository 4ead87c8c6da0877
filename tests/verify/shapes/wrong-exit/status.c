// A rank ends with a status other than 0, without Finalize, or by MPI_Abort.
// ranks: 2
// variant status: -DHOW=1 => wrong-exit
// variant exit: -DHOW=2 => wrong-exit
// variant _exit: -DHOW=3 => wrong-exit
// variant no-finalize: -DHOW=4 => wrong-exit
// variant abort: -DHOW=5 => wrong-exit
// variant right: -DHOW=0 => pass
// quick: _exit
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#if HOW == 2
  if (rank == 1) exit(4);
#elif HOW == 3
  if (rank == 1) _exit(0);
#elif HOW == 5
  if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 9);
#endif
#if HOW != 4
  MPI_Finalize();
#endif
  return HOW == 1 && rank == 1 ? 3 : 0;
}
