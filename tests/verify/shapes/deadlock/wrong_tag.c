// The reply comes under another tag than the one waited for.
// sizes: tiny -DN=1, large -DN=20000
// variant wrong: -DREPLY=12 => deadlock
// variant right: -DREPLY=11 => pass
#include <mpi.h>

enum { REQUEST_TAG = 10, REPLY_TAG = REPLY };
static int work[N];

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  switch (rank) {
    case 0:
      MPI_Send(work, N, MPI_INT, 1, REQUEST_TAG, MPI_COMM_WORLD);
      MPI_Recv(work, N, MPI_INT, 1, REPLY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @reply
      break;
    case 1:
      MPI_Recv(work, N, MPI_INT, 0, REQUEST_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      work[0]++;
      MPI_Send(work, N, MPI_INT, 0, 11, MPI_COMM_WORLD);
      break;
  }
  MPI_Finalize();
  return 0;
}
