// Two messages of different length, a wildcard with room for the shorter: all is well if that comes first.
// ranks: 3
// variant wrong: -DWRONG => message-race|size-mismatch
// variant right: => pass
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, small[10], large[100] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
#ifdef WRONG
    MPI_Recv(small, 10, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(large, 100, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Recv(small, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(large, 100, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  } else if (rank == 1) {
    MPI_Send(large, 10, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
    usleep(200000);
    MPI_Send(large, 100, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  (void)small;
  MPI_Finalize();
  return 0;
}
