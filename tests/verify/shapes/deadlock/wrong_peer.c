// Rank 2 was told to listen to rank 0, but rank 1 talks to it.
// ranks: 3
// variant wrong: -DSOURCE=0 => deadlock at 2@recv
// variant right: -DSOURCE=1 => pass
#include <mpi.h>
#include <string.h>

#define TEXT 64

int main(int argc, char **argv) {
  char line[TEXT] = "";
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    strcpy(line, "from one");
    MPI_Send(line, TEXT, MPI_CHAR, 2, 5, MPI_COMM_WORLD);
  }
  if (rank == 2) {
    MPI_Recv(line, TEXT, MPI_CHAR, SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
  }
  MPI_Finalize();
  return 0;
}
