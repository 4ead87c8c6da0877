// What is exchanged by MPI_Isendrecv_replace is read before the wait.
// variant wrong: -DWRONG => recv-buffer-race at 0@read 1@read
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value;
  volatile int seen;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  value = rank;
  MPI_Isendrecv_replace(&value, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, &request);
#ifdef WRONG
  seen = value;  // @read
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  seen = value;
#endif
  (void)seen;
  MPI_Finalize();
  return 0;
}
