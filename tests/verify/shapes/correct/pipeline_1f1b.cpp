// A pipeline of stages with non-blocking sends in flight while the next microbatch is computed.
// ranks: 2 4
// sizes: small -DN=64, large -DN=20000
// variant right: => pass
#include <mpi.h>

#include <deque>
#include <vector>

struct InFlight {
  std::vector<float> data;
  MPI_Request request = MPI_REQUEST_NULL;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int stage, stages;
  MPI_Comm_rank(MPI_COMM_WORLD, &stage);
  MPI_Comm_size(MPI_COMM_WORLD, &stages);
  const int microbatches = 6;
  std::deque<InFlight> sending;
  auto send = [&](std::vector<float> data, int to, int tag) {
    InFlight& one = sending.emplace_back();
    one.data = std::move(data);
    MPI_Isend(one.data.data(), N, MPI_FLOAT, to, tag, MPI_COMM_WORLD, &one.request);
  };
  auto receive = [&](int from, int tag) {
    std::vector<float> data(N);
    MPI_Recv(data.data(), N, MPI_FLOAT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return data;
  };
  auto forward = [&](int m) {
    std::vector<float> x = stage > 0 ? receive(stage - 1, m) : std::vector<float>(N, 1.0f);
    for (float& v : x) v += 1;
    if (stage + 1 < stages) send(std::move(x), stage + 1, m);
  };
  auto backward = [&](int m) {
    std::vector<float> g = stage + 1 < stages ? receive(stage + 1, 100 + m) : std::vector<float>(N, 2.0f);
    for (float& v : g) v *= 0.5f;
    if (stage > 0) send(std::move(g), stage - 1, 100 + m);
  };
  const int warmup = std::min(stages - 1 - stage, microbatches);
  for (int m = 0; m < warmup; ++m) forward(m);
  for (int m = warmup; m < microbatches; ++m) {
    forward(m);
    backward(m - warmup);
  }
  for (int m = microbatches - warmup; m < microbatches; ++m) backward(m);
  for (InFlight& one : sending) MPI_Wait(&one.request, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
