// What the profiling layer costs: the same ping-pong by MPI's own names and by those it stands in front of, in alternating
// pairs of batches. Rank 0 prints one line of JSON: medians of one round trip in ns, and of the pairs' ratios.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "app/trace/clock.h"

namespace {

constexpr int kPairs = 181;
constexpr int kWarmUp = 50;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class Send, class Receive>
double time_per_round(std::vector<char>& buffer, int rank, int rounds, Send send, Receive receive) {
  const int bytes = static_cast<int>(buffer.size());
  const int peer = 1 - rank;
  const auto begin = p2plab::trace::monotonic_ns();
  for (int i = 0; i < rounds; ++i) {
    if (rank == 0) send(buffer.data(), bytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD);
    receive(buffer.data(), bytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) send(buffer.data(), bytes, MPI_BYTE, peer, 1, MPI_COMM_WORLD);
  }
  return static_cast<double>(p2plab::trace::monotonic_ns() - begin) / rounds;
}

std::string measure(int rank, std::size_t bytes, int rounds) {
  std::vector<char> buffer(bytes);
  const auto bare = [&](int n) { return time_per_round(buffer, rank, n, PMPI_Send, PMPI_Recv); };
  const auto probed = [&](int n) { return time_per_round(buffer, rank, n, MPI_Send, MPI_Recv); };
  bare(kWarmUp);
  probed(kWarmUp);
  std::vector<double> bare_ns, probe_ns, ratios;
  for (int pair = 0; pair < kPairs; ++pair) {
    // Which goes first alternates, so that a slow phase of the machine hits both alike.
    if (pair % 2 == 0) bare_ns.push_back(bare(rounds));
    probe_ns.push_back(probed(rounds));
    if (pair % 2 != 0) bare_ns.push_back(bare(rounds));
    ratios.push_back(probe_ns.back() / bare_ns.back());
  }
  return fmt::format(R"({{"bytes":{},"pairs":{},"bare_ns":{:.0f},"probe_ns":{:.0f},"ratio":{:.4f}}})", bytes, kPairs,
                     median(bare_ns), median(probe_ns), median(ratios));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 400;
  const std::string small = measure(rank, 8, rounds);
  const std::string large = measure(rank, 64 << 10, rounds);
  if (rank == 0) fmt::print("[{},{}]\n", small, large);
  MPI_Finalize();
  return 0;
}
