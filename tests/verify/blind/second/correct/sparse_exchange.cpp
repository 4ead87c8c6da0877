// Everybody knows whom it sends to and nobody from whom it receives: synchronous sends, probes, a non-blocking barrier.
// ranks: 3 4
// variant right: => pass
#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<int> to;
  for (int r = 0; r < size; ++r)
    if (r != rank && (r + rank) % 2 == 1) to.push_back(r);
  std::vector<std::vector<double>> out;
  std::vector<MPI_Request> sends(to.size());
  for (std::size_t i = 0; i < to.size(); ++i) out.emplace_back(10 + rank, 1.0 * to[i]);
  for (std::size_t i = 0; i < to.size(); ++i)
    MPI_Issend(out[i].data(), 10 + rank, MPI_DOUBLE, to[i], 3, MPI_COMM_WORLD, &sends[i]);
  bool in_barrier = false;
  MPI_Request barrier = MPI_REQUEST_NULL;
  double sum = 0;
  for (int done = 0; !done;) {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &there, &status);
    if (there) {
      int count;
      MPI_Get_count(&status, MPI_DOUBLE, &count);
      std::vector<double> in(count);
      MPI_Recv(in.data(), count, MPI_DOUBLE, status.MPI_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (double x : in) sum += x;
    }
    if (in_barrier) {
      MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    } else {
      int sent = 0;
      MPI_Testall(static_cast<int>(sends.size()), sends.data(), &sent, MPI_STATUSES_IGNORE);
      if (sent) {
        MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        in_barrier = true;
      }
    }
  }
  MPI_Finalize();
  return sum >= 0 ? 0 : 1;
}
