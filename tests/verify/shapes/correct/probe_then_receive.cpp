// Messages of unknown length: probe, count, receive.
// ranks: 2 3
// variant blocking: => pass
// variant polling: -DPOLL => pass
#include <mpi.h>

#include <string>

static std::string receive_from(int source) {
  MPI_Status status;
#ifdef POLL
  int there = 0;
  while (!there) MPI_Iprobe(source, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
#else
  MPI_Probe(source, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
#endif
  int length = 0;
  MPI_Get_count(&status, MPI_CHAR, &length);
  std::string text(static_cast<std::size_t>(length), ' ');
  MPI_Recv(text.data(), length, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return text;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0) {
    const std::string text(static_cast<std::size_t>(rank * 3000), static_cast<char>('a' + rank));
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, rank, MPI_COMM_WORLD);
  } else {
    for (int r = size - 1; r > 0; --r)
      if (receive_from(r).size() != static_cast<std::size_t>(r * 3000)) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
