// Each sends its fork to the right synchronously and then takes from the left.
// ranks: 5
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int seat, seats, fork_ = 1, got = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &seat);
  MPI_Comm_size(MPI_COMM_WORLD, &seats);
  int left = (seat + seats - 1) % seats, right = (seat + 1) % seats;
#ifndef WRONG
  if (seat == 0) {
    MPI_Recv(&got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Ssend(&fork_, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
  }
#endif
  MPI_Ssend(&fork_, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
  MPI_Recv(&got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
