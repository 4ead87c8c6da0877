// A send before a barrier whose receive stands after it.
// sizes: small -DN=64, large -DN=65536
// ranks: 2
// variant wrong small: -DWRONG => unsafe-buffering at 0@send
// variant wrong large: -DWRONG => deadlock at 0@send
// variant isend: -DISEND => pass
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

static unsigned char block[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if defined(ISEND)
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Isend(block, N, MPI_UNSIGNED_CHAR, 1, 0, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(block, N, MPI_UNSIGNED_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
  if (rank == 0) MPI_Send(block, N, MPI_UNSIGNED_CHAR, 1, 0, MPI_COMM_WORLD);  // @send
#ifdef WRONG
  MPI_Barrier(MPI_COMM_WORLD);
#endif
  if (rank == 1) MPI_Recv(block, N, MPI_UNSIGNED_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef WRONG
  MPI_Barrier(MPI_COMM_WORLD);
#endif
#endif
  MPI_Finalize();
  return 0;
}
