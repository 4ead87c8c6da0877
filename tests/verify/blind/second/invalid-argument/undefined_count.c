// MPI_UNDEFINED of Get_count is used as a count.
// ranks: 2
// variant wrong: -DSENT=3 => invalid-argument
// variant right: -DSENT=4 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[8] = {0}, count;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(data, SENT, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(data, 8, MPI_2INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(data, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_2INT, &count);
    MPI_Send(data, count, MPI_2INT, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
