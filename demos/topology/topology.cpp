// Any communication graph out of sends and receives: each rank posts what its edges say, and waits for all of it.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "demos/p2p/results.h"
#include "demos/p2p/rules.h"
#include "demos/p2p/world.h"
#include "demos/topology/patterns.h"

using namespace p2p;

namespace {

struct Mail {
  int peer = 0;
  Tensor data;
};

std::byte mark(int from, int to) { return static_cast<std::byte>((from * 16 + to + 1) & 0xFF); }

// [exchange]
double exchange(World& world, const std::vector<Mail>& out, std::vector<Mail>& in) {
  const std::int64_t begin = world.now_ns();
  std::vector<P2POp> ops;
  for (Mail& mail : in) ops.push_back({P2POp::Type::irecv, mail.data, mail.peer});  // receives first: nothing arrives unexpected
  for (const Mail& mail : out) ops.push_back({P2POp::Type::isend, mail.data, mail.peer});
  if (!ops.empty()) world.batch_isend_irecv(ops).wait();  // one group, as NCCL demands: all of it progresses together
  finish(world);
  return static_cast<double>(world.now_ns() - begin);
}
// [end]

std::vector<Edge> edges_of(World& world) {
  PatternOptions options;
  options.ranks = world.size();
  options.bytes = static_cast<std::uint64_t>(world.knob("bytes", 65536));
  options.degree = static_cast<int>(world.knob("degree", 2));
  options.tokens = static_cast<int>(world.knob("tokens", 64));
  options.skew_percent = static_cast<int>(world.knob("skew_percent", 0));
  options.seed = world.seed();
  const auto variant = world.knob("variant", "chain");
  if (variant != "file") return pattern(variant, options);
  const auto file = world.knob("file", "");
  if (file.empty()) throw std::runtime_error("The variant file needs a file: give --set file=PATH with lines \"FROM TO BYTES\".");
  return read_pattern(file, world.size());
}

constexpr std::size_t kListed = 8;  ///< of the links, those that carry most
constexpr int kDrawn = 48;  ///< ranks; of more neither graph nor matrix could be read

void report(World& world, const std::vector<Edge>& edges, double time_ns) {
  const auto all = loads(edges, world.size());
  std::uint64_t sum = 0;
  for (int from = 0; from < world.size(); ++from)
    for (int to = 0; to < world.size(); ++to) {
      const auto edge = std::find_if(edges.begin(), edges.end(), [&](const Edge& e) { return e.from == from && e.to == to; });
      const std::uint64_t bytes = edge == edges.end() ? 0 : edge->bytes;
      sum += bytes;
      if (world.size() <= kDrawn)
        row(world, "matrix", {{"from", "rank " + std::to_string(from)}, {"to", std::to_string(to)}, {"bytes", bytes}});
    }
  for (int rank = 0; rank < world.size(); ++rank) {
    const Load& load = all[static_cast<std::size_t>(rank)];
    row(world, "ports", {{"rank", "rank " + std::to_string(rank)}, {"out_bytes", load.out}, {"in_bytes", load.in}});
  }
  for (const Edge& edge : heaviest(edges, kListed))
    row(world, "links", {{"from", "rank " + std::to_string(edge.from)}, {"to", "rank " + std::to_string(edge.to)}, {"bytes", edge.bytes}});
  const auto most = static_cast<double>(busiest(all));
  const auto at = std::find_if(all.begin(), all.end(), [&](const Load& load) { return std::max(load.out, load.in) == busiest(all); });
  if (sum > 0) world.metric("busiest_rank", static_cast<double>(at - all.begin()));
  world.metric("busiest_bytes", most);
  world.metric("total_bytes", static_cast<double>(sum));
  world.metric("message_count", static_cast<double>(edges.size()));
  // 1: every port carries the same; p: all of it comes in, or goes out, at one port. Where nothing moves no port is the busiest.
  if (sum > 0) world.metric("imbalance_times", most * world.size() / static_cast<double>(sum));
  world.metric("exchange_ns", time_ns);
}

void run_graph(World& world) {
  const auto edges = edges_of(world);
  std::vector<Mail> out, in;
  for (const Edge& edge : edges) {
    if (edge.from == world.rank()) out.push_back({edge.to, Tensor::bytes_of(edge.bytes, mark(edge.from, edge.to))});
    if (edge.to == world.rank()) in.push_back({edge.from, Tensor::bytes_of(edge.bytes)});
  }
  const auto rounds = static_cast<int>(world.knob("iterations", 5));
  std::vector<double> times;
  for (int i = -1; i < rounds; ++i) {  // the first one makes the connections
    world.barrier();
    const double own = exchange(world, out, in);
    const double slowest = largest_of_all_ranks(world, own);
    if (i >= 0) times.push_back(slowest);
  }
  for (const Mail& mail : in)
    for (const Tensor here = mail.data.host(); const std::byte b : here.bytes())
      if (b != mark(mail.peer, world.rank())) throw std::runtime_error("A message arrived with wrong bytes.");
  if (world.rank() == 0) report(world, edges, median(times));
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, run_graph); }
