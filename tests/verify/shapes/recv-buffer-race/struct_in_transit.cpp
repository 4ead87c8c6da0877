// One member of an object that is being received is used; the others are not part of the message.
// ranks: 2
// variant wrong: -DWRONG => recv-buffer-race at 1@irecv
// variant right: => pass
#include <mpi.h>

#include <array>
#include <cstdio>

class Tile {
 public:
  void receive(int from) {
    MPI_Irecv(cells_.data(), static_cast<int>(cells_.size()), MPI_FLOAT, from, 0, MPI_COMM_WORLD, &request_);  // @irecv
  }
  void send(int to) { MPI_Send(cells_.data(), static_cast<int>(cells_.size()), MPI_FLOAT, to, 0, MPI_COMM_WORLD); }
  void finish() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }
  void age() { ++age_; }
  float corner() const { return cells_.front(); }
  int years() const { return age_; }

 private:
  int age_ = 0;
  std::array<float, 64> cells_{};
  MPI_Request request_ = MPI_REQUEST_NULL;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Tile tile;
  if (rank == 0) {
    tile.send(1);
  } else {
    tile.receive(0);
    tile.age();
#ifdef WRONG
    const float corner = tile.corner();
    tile.finish();
#else
    tile.finish();
    const float corner = tile.corner();
#endif
    std::printf("%d %g\n", tile.years(), static_cast<double>(corner));
  }
  MPI_Finalize();
}
