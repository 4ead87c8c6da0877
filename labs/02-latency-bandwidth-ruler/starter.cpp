// Lab 2: a ruler for a link. Nothing is measured yet. See TASK.md.
#include <string>
#include <utility>
#include <vector>

#include "demos/p2p/world.h"

constexpr int kRounds = 5;

/// A message of n bytes takes alpha_ns + n * ns_per_byte.
struct Line {
  double alpha_ns = 0, ns_per_byte = 0;
};

/// Time of a message of so many bytes from rank 0 to rank 1, in ns, by a ping-pong. Both ranks call it.
double one_way_ns(p2p::World& world, std::size_t bytes) {
  // TODO: send a block to and fro kRounds times, and take the time of one way. world.now_ns() is the clock.
  world.barrier();
  return static_cast<double>(bytes) * 0.001 / kRounds;
}

/// The line through the measured points (bytes, ns).
Line fit(const std::vector<std::pair<double, double>>& points) {
  // TODO: least squares.
  (void)points;
  return {};
}

/// Time of a message of so many bytes.
double predict(const Line& line, double bytes) { return bytes * line.ns_per_byte; }

/// The size at which latency and bytes cost the same: n½.
double half_size(const Line& line) { return 0 * line.alpha_ns; }

int main(int argc, char** argv) {
  return p2p::run(argc, argv, [](p2p::World& world) {
    std::vector<std::pair<double, double>> points;
    for (const std::size_t bytes : {1024ul, 65536ul, 1048576ul}) points.emplace_back(static_cast<double>(bytes), one_way_ns(world, bytes));
    if (world.rank() != 0) return;
    const Line line = fit(points);
    world.metric("alpha_ns", line.alpha_ns);
    world.metric("n_half_bytes", half_size(line));
    world.metric("small_ns", predict(line, 4096));
    world.metric("large_ns", predict(line, 4194304));
  });
}
