// Probe for a message that comes under another tag, or only after the answer to it.
// ranks: 2
// variant tag: -DWRONG=1 => deadlock at 1@probe
// variant order: -DWRONG=2 => deadlock at 0@probe0 1@probe
// variant right: -DWRONG=0 => pass
// quick: order
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    short letters[7] = {1, 2, 3, 4, 5, 6, 7};
#if WRONG == 2
    MPI_Probe(1, 9, MPI_COMM_WORLD, &status);  // @probe0
#endif
    MPI_Send(letters, 7, MPI_SHORT, 1, 8, MPI_COMM_WORLD);
#if WRONG == 2
    MPI_Recv(letters, 7, MPI_SHORT, 1, 9, MPI_COMM_WORLD, &status);
#endif
  } else {
    int count, tag = WRONG == 1 ? 9 : 8;
    MPI_Probe(0, tag, MPI_COMM_WORLD, &status);  // @probe
    MPI_Get_count(&status, MPI_SHORT, &count);
    short *buffer = malloc((size_t)count * sizeof(short));
    MPI_Recv(buffer, count, MPI_SHORT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#if WRONG == 2
    MPI_Send(buffer, count, MPI_SHORT, 0, 9, MPI_COMM_WORLD);
#endif
    free(buffer);
  }
  MPI_Finalize();
  return 0;
}
