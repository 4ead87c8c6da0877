// The buffer is cleared after the receive was posted, not before.
// ranks: 2 3
// sizes: tiny -DN=4, large -DN=20000
// variant wrong: -DWRONG => recv-buffer-race at 1@irecv
// variant same-value: -DSAME => recv-buffer-race at 1@irecv
// variant right: => pass
#include <mpi.h>
#include <string.h>

static int inbox[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    int outbox[N];
    memset(outbox, 0, sizeof outbox);
    MPI_Send(outbox, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Request request;
#if !defined(WRONG) && !defined(SAME)
    memset(inbox, 0, sizeof inbox);
#endif
    MPI_Irecv(inbox, N, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#if defined(WRONG)
    for (int i = 0; i < N; i++) inbox[i] = 7;
#elif defined(SAME)
    inbox[N - 1] = 0;
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
