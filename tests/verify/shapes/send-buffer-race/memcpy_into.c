// The buffer is refilled with memcpy or memset before the wait.
// ranks: 2
// sizes: tiny -DN=2, large -DN=20000
// variant memcpy: -DWRONG=1 => send-buffer-race at 0@isend
// variant memset: -DWRONG=2 => send-buffer-race at 0@isend
// variant right: => pass
#include <mpi.h>
#include <string.h>

static long staging[N], target[N];
#if WRONG != 2
static long next[N];
#endif

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(staging, N, MPI_LONG, 1, 0, MPI_COMM_WORLD, &request);  // @isend
#if WRONG == 1
    memcpy(staging, next, sizeof staging);
#elif WRONG == 2
    memset(staging, 0, sizeof staging);
#else
    memcpy(target, staging, sizeof staging);
    memset(next, 1, sizeof next);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(target, N, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
