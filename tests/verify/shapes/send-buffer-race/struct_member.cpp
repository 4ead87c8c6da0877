// A message header and its payload travel as one derived type; the sequence number is bumped too early.
// ranks: 2
// variant wrong: -DWRONG => send-buffer-race at 0@isend
// variant right: => pass
#include <mpi.h>

#include <cstddef>

struct Packet {
  int sequence = 0;
  char local_note[12] = "mine";  // not part of the message
  double payload[32] = {};
};

static MPI_Datatype packet_type() {
  const int lengths[] = {1, 32};
  const MPI_Aint at[] = {offsetof(Packet, sequence), offsetof(Packet, payload)};
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype members, type;
  MPI_Type_create_struct(2, lengths, at, types, &members);
  MPI_Type_create_resized(members, 0, sizeof(Packet), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&members);
  return type;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype type = packet_type();
  Packet packet;
  if (rank == 0) {
    for (int i = 0; i < 3; ++i) {
      MPI_Request request;
      MPI_Isend(&packet, 1, type, 1, 0, MPI_COMM_WORLD, &request);  // @isend
      packet.local_note[0] = 'M';
#ifdef WRONG
      packet.sequence++;
#endif
      MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifndef WRONG
      packet.sequence++;
#endif
    }
  } else {
    for (int i = 0; i < 3; ++i) MPI_Recv(&packet, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&type);
  MPI_Finalize();
}
