// A rank starts processes without end, or four of them.
// ranks: 2
// timeout: 20
// variant wrong: -DCHILDREN=100000 => resource-limit
// variant right: -DCHILDREN=4 => pass
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < CHILDREN; i++) {
      pid_t child = fork();
      if (child == 0) {
        usleep(CHILDREN > 100 ? 5000000 : 1000);
        _exit(0);
      }
      if (child < 0) usleep(10000);
    }
    while (wait(NULL) > 0) {
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
