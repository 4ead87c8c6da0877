// main returns -1 on every rank although all messages were exchanged.
// ranks: 2
// variant wrong: -DCODE=-1 => wrong-exit
// variant right: -DCODE=0 => pass
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Sendrecv_replace(&x, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return CODE;
}
