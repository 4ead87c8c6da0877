// A loop of Waitany that runs once less than there are requests.
// ranks: 4
// variant wrong: -DTIMES=2 => request-leak
// variant right: -DTIMES=3 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, in[4], which;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request r[3];
    for (int i = 0; i < 3; i++) MPI_Irecv(&in[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &r[i]);
    for (int i = 0; i < TIMES; i++) MPI_Waitany(3, r, &which, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
