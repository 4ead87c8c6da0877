// A recursion without end overflows the stack of one rank while the other waits.
// ranks: 2
// variant wrong: -DWRONG => crash
// variant right: => pass
#include <mpi.h>

static int depth(volatile int* n, int limit) {
  volatile char room[4096];
  room[0] = static_cast<char>(*n);
  if (++*n == limit) return room[0];
  return depth(n, limit) + room[0];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
  const int limit = -1;
#else
  const int limit = 50;
#endif
  volatile int n = 0;
  if (rank == 1) {
    sum = depth(&n, limit);
    MPI_Send(&sum, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&sum, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
