// The second rank plays one round more than the first.
// ranks: 2
// variant wrong: -DROUNDS=11 => deadlock
// variant right: -DROUNDS=10 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int me, ball = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (me == 0)
    for (int i = 0; i < 10; i++) {
      MPI_Send(&ball, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(&ball, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  else
    for (int i = 0; i < ROUNDS; i++) {
      MPI_Recv(&ball, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      ball++;
      MPI_Send(&ball, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
  MPI_Finalize();
  return 0;
}
