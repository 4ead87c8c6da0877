// Results are stored in the order in which they come, and then used by index.
// ranks: 3 4
// variant wrong: -DWRONG => message-race
// variant status: => pass
#include <mpi.h>

#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    std::vector<int> results(size, 0);
    for (int i = 1; i < size; ++i) {
#ifdef WRONG
      MPI_Recv(&results[i], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
      int value;
      MPI_Status status;
      MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
      results[status.MPI_SOURCE] = value;
#endif
    }
    for (int i = 1; i < size; ++i) std::cout << "rank " << i << " says " << results[i] << "\n";
  } else {
    int value = rank * rank;
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
