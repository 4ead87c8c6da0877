// Two tags sent in one order and received in the other: fine only if the first is buffered.
// ranks: 2
// sizes: small -DN=100, large -DN=100000
// variant wrong small: -DWRONG => unsafe-buffering at 0@send 1@recv
// variant wrong large: -DWRONG => deadlock at 0@send 1@recv
// variant right: => pass
// variant isend: -DWRONG -DISEND => pass
#include <mpi.h>

static char a[N], b[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
  int first = 2, second = 1;
#else
  int first = 1, second = 2;
#endif
  if (rank == 0) {
#ifdef ISEND
    MPI_Request q;
    MPI_Isend(a, N, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &q);
    MPI_Send(b, N, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
#else
    MPI_Send(a, N, MPI_CHAR, 1, 1, MPI_COMM_WORLD);  // @send
    MPI_Send(b, N, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
#endif
  } else {
    MPI_Recv(first == 1 ? a : b, N, MPI_CHAR, 0, first, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
    MPI_Recv(second == 1 ? a : b, N, MPI_CHAR, 0, second, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
