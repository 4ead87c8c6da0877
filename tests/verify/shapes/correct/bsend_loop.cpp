// Many buffered sends; detaching waits until they are delivered.
// ranks: 2 3
// variant right: => pass
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int messages = 12, length = 300;
  int one = 0;
  MPI_Pack_size(length, MPI_INT, MPI_COMM_WORLD, &one);
  std::vector<char> space(static_cast<std::size_t>(messages) * (one + MPI_BSEND_OVERHEAD));
  MPI_Buffer_attach(space.data(), static_cast<int>(space.size()));
  std::vector<int> data(length);
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int i = 0; i < messages; ++i) {
    data.assign(length, i);
    MPI_Bsend(data.data(), length, MPI_INT, to, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; i < messages; ++i) {
    MPI_Recv(data.data(), length, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (data[0] != i) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  void* detached;
  int bytes;
  MPI_Buffer_detach(&detached, &bytes);
  MPI_Finalize();
}
