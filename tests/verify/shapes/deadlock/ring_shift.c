// Every rank passes a block to its right neighbour.
// ranks: 3 4 5
// sizes: tiny -DN=1, large -DN=131072
// variant wrong tiny: -DWRONG => unsafe-buffering
// variant wrong large: -DWRONG => deadlock
// variant odd-even: -DODD_EVEN => pass
// variant sendrecv: -DSENDRECV => pass
// quick: wrong/large/4 odd-even/large/3
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  char *send = malloc(N), *recv = malloc(N);
  memset(send, rank, N);
#if defined(WRONG)
  MPI_Send(send, N, MPI_CHAR, right, 1, MPI_COMM_WORLD);
  MPI_Recv(recv, N, MPI_CHAR, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#elif defined(ODD_EVEN)
  if (rank % 2 == 0) {
    MPI_Send(send, N, MPI_CHAR, right, 1, MPI_COMM_WORLD);
    MPI_Recv(recv, N, MPI_CHAR, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(recv, N, MPI_CHAR, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(send, N, MPI_CHAR, right, 1, MPI_COMM_WORLD);
  }
#else
  MPI_Sendrecv(send, N, MPI_CHAR, right, 1, recv, N, MPI_CHAR, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  if (recv[0] != left) MPI_Abort(MPI_COMM_WORLD, 1);
  free(send);
  free(recv);
  MPI_Finalize();
  return 0;
}
