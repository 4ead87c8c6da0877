// The count in bytes is confused with the count in elements.
// ranks: 2
// variant wrong: -DWRONG => size-mismatch
// variant right: => pass
#include <mpi.h>

#include <string>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::string text = "point to point";
  text.resize(400, '.');
  const int length = static_cast<int>(text.size());
  MPI_Request request;
  if (rank == 0) {
    MPI_Isend(text.data(), length, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
  } else {
#ifdef WRONG
    const int room = length / static_cast<int>(sizeof(int));
#else
    const int room = length;
#endif
    MPI_Irecv(text.data(), room, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
