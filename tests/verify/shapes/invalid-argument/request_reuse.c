// A persistent request is started again, or a handle copied and waited for twice, while the first use is active.
// ranks: 2
// variant start-twice: -DWRONG=1 => invalid-argument
// variant start-isend: -DWRONG=2 => invalid-argument
// variant stale-copy: -DWRONG=3 => invalid-argument
// variant right: => pass
// quick: start-twice
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, value = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  if (rank == 0) {
#if WRONG == 2 || WRONG == 3
    MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Request copy = request;
#if WRONG == 2
    MPI_Start(&request);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#if WRONG == 3
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
#else
    (void)copy;
#endif
#else
    MPI_Ssend_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
#if WRONG == 1
    MPI_Start(&request);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // MPI_REQUEST_NULL: returns at once
#endif
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
