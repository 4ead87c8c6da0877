// A helper starts a send of its own local array and returns.
// ranks: 2
// sizes: small -DN=100, large -DN=30000
// variant wrong: -DWRONG => send-buffer-race
// variant right: => pass
#include <mpi.h>

static void fill(int *block, int value) {
  for (int i = 0; i < N; i++) block[i] = value;
}

static void start_send(int value, MPI_Request *request) {
#ifdef WRONG
  int block[N];
#else
  static int block[N];
#endif
  fill(block, value);
  MPI_Isend(block, N, MPI_INT, 1, 0, MPI_COMM_WORLD, request);  // @isend
}

static int other_work(int n) {
  int scratch[N];
  fill(scratch, n);
  return scratch[n % N];
}

int main(int argc, char **argv) {
  int rank, result = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    start_send(7, &request);
    result = other_work(3);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    int block[N];
    MPI_Recv(block, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return result == 3 ? 0 : rank == 0;
}
