// Tests for an answer that does not come, and withdraws the receive after some seconds; sent with a large or a small question.
// ranks: 2
// sizes: small -DN=8, large -DN=100000
// timeout: 15
// variant wrong small: -DPATIENCE=1e9 => livelock
// variant right: -DPATIENCE=6 => pass
#include <mpi.h>

static int question[N], heard[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, answer = 0, done = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request requests[2], reply;
  MPI_Irecv(heard, N, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(question, N, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Irecv(&answer, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &reply);
  const double begin = MPI_Wtime();
  while (!done && MPI_Wtime() - begin < PATIENCE) MPI_Test(&reply, &done, MPI_STATUS_IGNORE);
  if (!done) {
    MPI_Cancel(&reply);
    MPI_Wait(&reply, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
