// A rank is killed by a signal from outside or from itself.
// ranks: 2
// variant kill: -DSIGNAL=SIGKILL => crash
// variant term: -DSIGNAL=SIGTERM => crash
// variant bus: -DSIGNAL=SIGBUS => crash
// variant right: -DSIGNAL=0 => pass
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) kill(getpid(), SIGNAL);
  if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
