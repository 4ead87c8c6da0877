// A grid's neighbours by arithmetic that forgets the border.
// ranks: 4
// variant wrong: -DWRONG => invalid-argument
// variant right: => pass
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int width = 2, x = rank % width, y = rank / width;
  const auto at = [&](int column, int row) {
#ifdef WRONG
    return row * width + column;
#else
    return column < 0 || column >= width || row < 0 || row >= width ? MPI_PROC_NULL : row * width + column;
#endif
  };
  const std::vector<int> neighbours = {at(x, y - 1), at(x, y + 1)};
  std::vector<double> in(2), out(2, rank);
  std::vector<MPI_Request> requests;
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    MPI_Irecv(&in[i], 1, MPI_DOUBLE, neighbours[i], 0, MPI_COMM_WORLD, &requests.emplace_back());
    MPI_Isend(&out[i], 1, MPI_DOUBLE, neighbours[i], 0, MPI_COMM_WORLD, &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  MPI_Finalize();
}
