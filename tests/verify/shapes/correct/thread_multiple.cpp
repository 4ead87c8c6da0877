// Two threads a rank talk at once, each on its own communicator or tag.
// ranks: 2
// cflags: -pthread
// sizes: tiny -DN=1, large -DN=20000
// variant communicators: -DCOMMS => pass
// variant tags: => pass
// quick: tags/large
#include <mpi.h>

#include <thread>
#include <vector>

static void talk(MPI_Comm comm, int tag, int rank) {
  std::vector<int> out(N, tag), in(N, -1);
  for (int i = 0; i < 5; ++i) {
    if (rank == 0) {
      MPI_Send(out.data(), N, MPI_INT, 1, tag, comm);
      MPI_Recv(in.data(), N, MPI_INT, 1, tag, comm, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(in.data(), N, MPI_INT, 0, tag, comm, MPI_STATUS_IGNORE);
      MPI_Send(out.data(), N, MPI_INT, 0, tag, comm);
    }
    if (in[0] != tag) MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

int main(int argc, char** argv) {
  int provided = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm comms[2] = {MPI_COMM_WORLD, MPI_COMM_WORLD};
#ifdef COMMS
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
#endif
  std::thread other(talk, comms[0], 1, rank);
  talk(comms[1], 2, rank);
  other.join();
#ifdef COMMS
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
#endif
  MPI_Finalize();
}
