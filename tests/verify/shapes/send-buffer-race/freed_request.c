// A send's request is freed at once: its buffer is the program's again when an answer has come.
// ranks: 2
// variant answered: => pass
// variant barrier: -DBARRIER => pass
// variant wrong: -DTOO_EARLY => send-buffer-race at 0@change
// variant same-value: -DTOO_EARLY -DSAME => send-buffer-race at 0@same
// quick: same-value
#include <mpi.h>

int main(int argc, char **argv) {
  static int data[64];
  int rank, answer = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(data, 64, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
#ifdef TOO_EARLY
#ifdef SAME
    data[5] = 0;  // @same
#else
    data[5] = 1;  // @change
#endif
#endif
#ifndef BARRIER
    MPI_Recv(&answer, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  } else {
    MPI_Recv(data, 64, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef BARRIER
    MPI_Send(&answer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
  }
#ifdef BARRIER
  MPI_Barrier(MPI_COMM_WORLD);
#endif
  data[3] = rank;
  MPI_Finalize();
  return 0;
}
