// The mismatch hides in a persistent request, or in one direction of a Sendrecv.
// ranks: 2
// variant persistent: -DPERSISTENT -DWHAT=MPI_FLOAT => type-mismatch
// variant persistent-right: -DPERSISTENT -DWHAT=MPI_INT => pass
// variant sendrecv: -DWHAT=MPI_FLOAT => type-mismatch
// variant sendrecv-right: -DWHAT=MPI_INT => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, out[30] = {0}, in[30] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int peer = 1 - rank;
  MPI_Datatype incoming = rank == 0 ? WHAT : MPI_INT;
#ifdef PERSISTENT
  MPI_Request requests[2];
  MPI_Send_init(out, 30, MPI_INT, peer, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in, 30, incoming, peer, 0, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; i++) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
#else
  MPI_Sendrecv(out, 30, MPI_INT, peer, 0, in, 30, incoming, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  MPI_Finalize();
  return 0;
}
