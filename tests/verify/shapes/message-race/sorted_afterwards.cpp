// The values are sorted before they are used: any order of arrival is fine.
// ranks: 3 5
// variant right: => pass
#include <mpi.h>

#include <algorithm>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    std::vector<int> values(size - 1);
    for (int& value : values) MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::sort(values.begin(), values.end());
    for (int value : values) std::cout << value << ' ';
    std::cout << std::endl;
  } else {
    const int value = (rank * 5) % 7;
    MPI_Send(&value, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
