// Two active receives share part of a buffer.
// ranks: 2 3
// variant wrong: -DSTRIDE=60 => recv-buffer-race
// variant right: -DSTRIDE=64 => pass
// quick: wrong/2 right/3
#include <mpi.h>

#define BLOCK 64
static int all[4 * BLOCK];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request requests[2];
  if (rank == 0) {
    for (int half = 0; half < 2; half++)
      MPI_Irecv(all + half * STRIDE, BLOCK, MPI_INT, 1, half, MPI_COMM_WORLD, &requests[half]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else if (rank == 1) {
    for (int half = 0; half < 2; half++) MPI_Send(all, BLOCK, MPI_INT, 0, half, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
