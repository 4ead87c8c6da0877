// Pairs of elements at given places are received; in the wrong one the second of a pair is read before the wait, in the right one what
// lies between the pairs.
// variant wrong: -DREAD=5 => recv-buffer-race at 1@read
// variant right: -DREAD=2 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[8] = {0};
  MPI_Aint places[2] = {0, 4 * sizeof(int)};
  volatile int seen;
  MPI_Datatype pairs;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_hindexed_block(2, 2, places, MPI_INT, &pairs);
  MPI_Type_commit(&pairs);
  if (rank == 0) {
    MPI_Send(data, 1, pairs, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(data, 1, pairs, 0, 0, MPI_COMM_WORLD, &request);
    seen = data[READ];  // @read
    (void)seen;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&pairs);
  MPI_Finalize();
  return 0;
}
