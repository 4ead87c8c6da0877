// A Cartesian grid with and without periodic borders.
// ranks: 2 4
// variant open: -DPERIOD=0 => pass
// variant periodic: -DPERIOD=1 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int size, dims[1] = {0}, periods[1] = {PERIOD}, left, right, rank;
  MPI_Comm line;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 1, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &line);
  MPI_Comm_rank(line, &rank);
  MPI_Cart_shift(line, 0, 1, &left, &right);
  int from_left = -1, from_right = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &from_left, 1, MPI_INT, left, 0, line, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&rank, 1, MPI_INT, left, 1, &from_right, 1, MPI_INT, right, 1, line, MPI_STATUS_IGNORE);
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
