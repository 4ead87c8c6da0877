// Receives on the same channel match in the order in which they are posted, blocking or not.
// ranks: 2
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, a = 0, b = 0, c = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request first, third;
    MPI_Irecv(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &first);
    MPI_Recv(&b, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&c, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &third);
    MPI_Wait(&third, MPI_STATUS_IGNORE);
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    if (a != 1 || b != 2 || c != 3) MPI_Abort(MPI_COMM_WORLD, 1);
  } else {
    for (int i = 1; i <= 3; i++) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
