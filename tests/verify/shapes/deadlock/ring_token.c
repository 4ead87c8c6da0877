// A token goes round the ring; nobody creates it in the wrong one.
// ranks: 2 5
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, token = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int prev = rank == 0 ? size - 1 : rank - 1;
#ifdef WRONG
  int have_token = 0;
#else
  int have_token = rank == 0;
#endif
  for (int lap = 0; lap < 3; lap++) {
    if (!have_token) MPI_Recv(&token, 1, MPI_INT, prev, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    token++;
    MPI_Ssend(&token, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    if (have_token) MPI_Recv(&token, 1, MPI_INT, prev, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0) printf("token %d\n", token);
  MPI_Finalize();
  return 0;
}
