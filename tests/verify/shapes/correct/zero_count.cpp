// Messages without content are messages: they match, order, and synchronise.
// ranks: 2
// variant right: => pass
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<double> nothing;
  for (int i = 0; i < 10; ++i) {
    if (rank == 0) {
      MPI_Ssend(nothing.data(), 0, MPI_DOUBLE, 1, i, MPI_COMM_WORLD);
      MPI_Recv(nullptr, 0, MPI_BYTE, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      int room[4];
      MPI_Recv(room, 0, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Ssend(nullptr, 0, MPI_BYTE, 0, i, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
}
