// One request variable for a loop of sends: only the last one is waited for.
// ranks: 2
// sizes: tiny -DN=1, small -DN=512
// variant wrong: -DWRONG => request-leak at 0@isend
// variant right: => pass
#include <mpi.h>

#define ROUNDS 4
static int data[ROUNDS][N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request = MPI_REQUEST_NULL;
  for (int i = 0; i < ROUNDS; i++) {
    if (rank == 0) {
      MPI_Isend(data[i], N, MPI_INT, 1, i, MPI_COMM_WORLD, &request);  // @isend
#ifndef WRONG
      MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
    } else {
      MPI_Recv(data[i], N, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
