// A race in calls that the profiling layer does not see: whatever is said of such a program, it is not that it passes.
// ranks: 2
// variant own-wrapper: -DWRONG -DOWN => *
// variant direct: -DWRONG -DDIRECT => *
// variant seen: -DWRONG => send-buffer-race
// variant right: => pass
// quick: own-wrapper direct
#include <mpi.h>

#ifdef OWN
int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}
#endif
#ifdef DIRECT
#define MPI_Isend PMPI_Isend
#endif

int main(int argc, char **argv) {
  int rank, value = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
#ifdef WRONG
    value = 2;
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
