// A process grid: row and column communicators, reductions on one, messages on the other.
// ranks: 4
// variant right: => pass
#include <mpi.h>

#include <array>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int row = rank / 2, column = rank % 2;
  MPI_Comm rows, columns;
  MPI_Comm_split(MPI_COMM_WORLD, row, column, &rows);
  MPI_Comm_split(MPI_COMM_WORLD, column, row, &columns);
  std::array<double, 10> mine{}, other{};
  mine.fill(rank);
  MPI_Allreduce(MPI_IN_PLACE, mine.data(), 10, MPI_DOUBLE, MPI_SUM, rows);
  MPI_Sendrecv(mine.data(), 10, MPI_DOUBLE, 1 - row, 0, other.data(), 10, MPI_DOUBLE, 1 - row, 0, columns,
               MPI_STATUS_IGNORE);
  MPI_Comm_free(&rows);
  MPI_Comm_free(&columns);
  MPI_Finalize();
}
