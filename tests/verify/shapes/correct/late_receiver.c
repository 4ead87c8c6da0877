// The receiver comes late: a rendezvous send waits for it, an eager one does not.
// ranks: 2
// sizes: tiny -DN=1, large -DN=60000
// variant right: => pass
#include <mpi.h>
#include <unistd.h>

static int data[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(data, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    usleep(700000);
    MPI_Recv(data, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
