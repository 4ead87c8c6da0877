// Lab 2: a ruler for a link. Wrong: n½ upside down.
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
  p2p::Tensor block = p2p::Tensor::bytes_of(bytes);
  const std::int64_t begin = world.now_ns();
  for (int round = 0; round < kRounds; ++round) {
    if (world.rank() == 0) {
      world.send(block, 1);
      world.recv(block, 1);
    } else {
      world.recv(block, 0);
      world.send(block, 0);
    }
  }
  return static_cast<double>(world.now_ns() - begin) / kRounds / 2;  // there and back
}

/// The line through the measured points (bytes, ns).
Line fit(const std::vector<std::pair<double, double>>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(points.size());
  for (const auto& [bytes, ns] : points) {
    x += bytes;
    y += ns;
    xx += bytes * bytes;
    xy += bytes * ns;
  }
  Line line;
  line.ns_per_byte = (n * xy - x * y) / (n * xx - x * x);
  line.alpha_ns = (y - line.ns_per_byte * x) / n;
  return line;
}

/// Time of a message of so many bytes.
double predict(const Line& line, double bytes) { return line.alpha_ns + bytes * line.ns_per_byte; }

/// The size at which latency and bytes cost the same: n½.
double half_size(const Line& line) { return line.ns_per_byte / line.alpha_ns; }

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
