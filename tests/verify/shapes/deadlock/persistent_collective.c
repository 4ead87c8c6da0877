// One rank starts a persistent barrier once less than the others.
// ranks: 2 3
// variant wrong: -DWRONG => deadlock|collective-mismatch
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, rounds = 3;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#ifdef WRONG
  if (rank == 1) --rounds;
#endif
  for (int i = 0; i < rounds; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (rank == 1) MPI_Recv(&rounds, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Send(&rounds, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Request_free(&request);
  MPI_Finalize();
  return 0;
}
