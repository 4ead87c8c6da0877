// After Finalize a program may end in any way with status 0.
// ranks: 2
// variant exit: -DHOW=1 => pass
// variant _exit: -DHOW=2 => pass
// variant quick: -DHOW=3 => pass
// variant work: -DHOW=4 => pass
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
#if HOW == 1
  exit(0);
#elif HOW == 2
  _exit(0);
#elif HOW == 3
  quick_exit(0);
#else
  sleep(rank);
  printf("rank %d says good bye\n", rank);
#endif
  return 0;
}
