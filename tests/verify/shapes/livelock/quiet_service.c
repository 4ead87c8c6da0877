// Every rank answers whoever asks; it leaves when nobody has asked for a while, or never.
// ranks: 3
// timeout: 12
// variant wrong: -DQUIET=1e9 => livelock at 0@look
// variant late: -DQUIET=30 => livelock
// variant right: -DQUIET=6.5 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, value = 0, asked = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request request;
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &request);
  double last = MPI_Wtime();
  while (MPI_Wtime() - last < QUIET) {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &there, &status);  // @look
    if (!there) continue;
    MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    asked += value >= 0;
    last = MPI_Wtime();
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return asked != 1;
}
