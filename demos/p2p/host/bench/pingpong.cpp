// What the runtime costs: the same ping-pong in bare MPI and through the runtime, in alternating pairs of batches.
// Rank 0 prints one line of JSON: medians of one round trip in ns, and of the pairs' ratios.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "app/trace/clock.h"
#include "demos/p2p/world.h"

namespace {

constexpr int kPairs = 181;
constexpr int kWarmUp = 50;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void bare_round(p2p::Tensor& buffer, int rank) {
  const int bytes = static_cast<int>(buffer.nbytes());
  const int peer = 1 - rank;
  if (rank == 0) PMPI_Send(buffer.data(), bytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD);
  PMPI_Recv(buffer.data(), bytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) PMPI_Send(buffer.data(), bytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD);
}

void runtime_round(p2p::World& world, p2p::Tensor& buffer) {
  const int peer = 1 - world.rank();
  if (world.rank() == 0) world.send(buffer, peer);
  world.recv(buffer, peer);
  if (world.rank() == 1) world.send(buffer, peer);
}

template <class Round>
double time_per_round(int rounds, Round round) {
  const auto begin = p2plab::trace::monotonic_ns();
  for (int i = 0; i < rounds; ++i) round();
  return static_cast<double>(p2plab::trace::monotonic_ns() - begin) / rounds;
}

std::string measure(p2p::World& world, std::size_t bytes, int rounds) {
  p2p::Tensor tensor = p2p::Tensor::bytes_of(bytes);  // of both: how many pages a buffer touches has its price
  const int rank = world.rank();
  const auto bare = [&] { bare_round(tensor, rank); };
  const auto runtime = [&] { runtime_round(world, tensor); };
  time_per_round(kWarmUp, bare);
  time_per_round(kWarmUp, runtime);
  std::vector<double> bare_ns, runtime_ns, ratios;
  for (int pair = 0; pair < kPairs; ++pair) {
    // Which goes first alternates, so that a slow phase of the machine hits both alike.
    if (pair % 2 == 0) bare_ns.push_back(time_per_round(rounds, bare));
    runtime_ns.push_back(time_per_round(rounds, runtime));
    if (pair % 2 != 0) bare_ns.push_back(time_per_round(rounds, bare));
    ratios.push_back(runtime_ns.back() / bare_ns.back());
  }
  return fmt::format(R"({{"bytes":{},"rounds":{},"pairs":{},"bare_ns":{:.0f},"runtime_ns":{:.0f},"ratio":{:.4f}}})", bytes,
                     rounds, kPairs, median(bare_ns), median(runtime_ns), median(ratios));
}

}  // namespace

int main(int argc, char** argv) {
  if (std::getenv("P2PLAB_BENCH_RECORDING") != nullptr) ::unsetenv("P2PLAB_JOB");  // "off": nobody to record for
  return p2p::run(argc, argv, [](p2p::World& world) {
    if (world.size() != 2) throw std::runtime_error("The ping-pong runs on two ranks.");
    const auto small = measure(world, 8, static_cast<int>(world.knob("rounds", 400)));
    const auto large = measure(world, 64 << 10, static_cast<int>(world.knob("rounds", 400)));
    const char* job = std::getenv("P2PLAB_JOB");
    if (world.rank() == 0) {
      fmt::print("{{\"feed\":{},\"sizes\":[{},{}]}}\n", job != nullptr && *job != '\0', small, large);
    }
  });
}
