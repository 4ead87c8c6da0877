// A request from anybody is answered to rank 1 in any case.
// ranks: 3
// variant wrong: -DWRONG => message-race|deadlock
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Status s;
    for (int i = 1; i <= 2; i++) {
      MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
#ifdef WRONG
      if (i == 1) {  // "rank 1 asks first"
        MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (s.MPI_SOURCE != 1) MPI_Recv(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Send(&x, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
#else
      MPI_Send(&x, 1, MPI_INT, s.MPI_SOURCE, 1, MPI_COMM_WORLD);
      MPI_Recv(&x, 1, MPI_INT, s.MPI_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    }
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
