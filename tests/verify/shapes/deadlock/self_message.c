// A rank that sends to itself with a blocking call before it has posted the receive.
// ranks: 2
// sizes: small -DN=4, large -DN=40000
// variant ssend: -DWRONG=2 => deadlock
// variant send small: -DWRONG=1 => unsafe-buffering
// variant send large: -DWRONG=1 => deadlock
// variant right: => pass
#include <mpi.h>

static int from[N], to[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  from[0] = rank;
#if WRONG == 1
  MPI_Send(from, N, MPI_INT, rank, 0, MPI_COMM_WORLD);
  MPI_Recv(to, N, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#elif WRONG == 2
  MPI_Ssend(from, N, MPI_INT, rank, 0, MPI_COMM_WORLD);
  MPI_Recv(to, N, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  MPI_Request request;
  MPI_Irecv(to, N, MPI_INT, rank, 0, MPI_COMM_WORLD, &request);
  MPI_Send(from, N, MPI_INT, rank, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
  MPI_Finalize();
  return 0;
}
