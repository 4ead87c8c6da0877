// The code waits for one request and reads the buffer of the other.
// ranks: 2
// sizes: tiny -DN=1, large -DN=30000
// variant wrong: -DREADS=b => recv-buffer-race at 1@irecvb
// variant right: -DREADS=a => pass
#include <mpi.h>
#include <stdio.h>

static int a[N], b[N];

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(a, N, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Send(b, N, MPI_INT, 1, 2, MPI_COMM_WORLD);
  } else {
    MPI_Request ra, rb;
    MPI_Irecv(a, N, MPI_INT, 0, 1, MPI_COMM_WORLD, &ra);
    MPI_Irecv(b, N, MPI_INT, 0, 2, MPI_COMM_WORLD, &rb);  // @irecvb
    MPI_Wait(&ra, MPI_STATUS_IGNORE);
    printf("%d\n", READS[0]);
    MPI_Wait(&rb, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
