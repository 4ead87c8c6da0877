// The attached buffer must hold all messages that may be in it at the same time, however soon MPI sends them.
// ranks: 2
// sizes: small -DBYTES=100, large -DBYTES=100000
// variant one-fits: -DROOM=1 => invalid-argument at 0@second
// variant one-overhead: -DROOM=2 -DSHARED => invalid-argument at 0@second
// variant right: -DROOM=2 => pass
// variant right-one-after-the-other: -DROOM=1 -DREPLY => pass
// quick: one-fits/small right/small right-one-after-the-other/small
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static char data[BYTES];
  int rank, size = ROOM * (BYTES + MPI_BSEND_OVERHEAD);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef SHARED
  size -= MPI_BSEND_OVERHEAD;
#endif
  if (rank == 0) {
    char *room = malloc(size);
    MPI_Buffer_attach(room, size);
    MPI_Bsend(data, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
#ifdef REPLY
    MPI_Recv(NULL, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Bsend(data, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD);  // @second
#ifndef REPLY
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    MPI_Buffer_detach(&room, &size);
    free(room);
  } else {
#ifndef REPLY
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    MPI_Recv(data, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef REPLY
    MPI_Send(NULL, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
#endif
    MPI_Recv(data, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
