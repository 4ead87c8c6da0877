// What a matched probe has taken is received as another type of the same size.
// ranks: 2
// variant mrecv: -DRECEIVED=MPI_FLOAT => type-mismatch at 0@send 1@receive
// variant imrecv: -DRECEIVED=MPI_FLOAT -DLATER => type-mismatch at 0@send 1@later
// variant right: -DRECEIVED=MPI_INT => pass
// variant right-later: -DRECEIVED=MPI_INT -DLATER => pass
// variant bytes: -DRECEIVED=MPI_INT -DROOM=64 => pass
// quick: mrecv right
#include <mpi.h>

#ifndef ROOM
#define ROOM 16
#endif

int main(int argc, char **argv) {
  int rank, words[64] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(words, 16, MPI_INT, 1, 4, MPI_COMM_WORLD);  // @send
  } else {
    MPI_Message message;
    MPI_Mprobe(0, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
#ifdef LATER
    MPI_Request request;
    MPI_Imrecv(words, ROOM, RECEIVED, &message, &request);  // @later
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
    MPI_Mrecv(words, ROOM, RECEIVED, &message, MPI_STATUS_IGNORE);  // @receive
#endif
  }
  MPI_Finalize();
  return 0;
}
