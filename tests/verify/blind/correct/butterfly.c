// A hand-made all-reduce: partners at distance 1, 2, 4.
// ranks: 4
// variant right: => pass
// variant wrong: -DWRONG => unsafe-buffering
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, sum, in;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  sum = rank;
  for (int d = 1; d < size; d *= 2) {
    int partner = rank ^ d;
#ifdef WRONG
    MPI_Send(&sum, 1, MPI_INT, partner, d, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, partner, d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Sendrecv(&sum, 1, MPI_INT, partner, d, &in, 1, MPI_INT, partner, d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    sum += in;
  }
  MPI_Finalize();
  return sum == size * (size - 1) / 2 ? 0 : 1;
}
