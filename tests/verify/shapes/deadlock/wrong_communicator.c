// A message sent on a duplicate cannot be received on the original.
// ranks: 2 3
// variant wrong: -DWRONG => deadlock at 1@recv
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm work;
  MPI_Comm_dup(MPI_COMM_WORLD, &work);
  int rank;
  MPI_Comm_rank(work, &rank);
  float x[16] = {0};
  if (rank == 0) {
    x[0] = 1.5f;
    MPI_Send(x, 16, MPI_FLOAT, 1, 0, work);
  } else if (rank == 1) {
#ifdef WRONG
    MPI_Recv(x, 16, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
#else
    MPI_Recv(x, 16, MPI_FLOAT, 0, 0, work, MPI_STATUS_IGNORE);
#endif
  }
  MPI_Comm_free(&work);
  MPI_Finalize();
  return 0;
}
