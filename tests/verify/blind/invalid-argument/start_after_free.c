// A persistent request is started after it has been freed.
// ranks: 2
// variant wrong: -DWRONG => invalid-argument
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, v = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request p;
    MPI_Send_init(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &p);
#ifdef WRONG
    MPI_Request_free(&p);
    MPI_Start(&p);
    MPI_Wait(&p, MPI_STATUS_IGNORE);
#else
    MPI_Start(&p);
    MPI_Wait(&p, MPI_STATUS_IGNORE);
    MPI_Request_free(&p);
#endif
  } else {
    MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
