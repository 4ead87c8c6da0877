#include "demos/topology/patterns.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <stdexcept>

namespace {

/// A small generator of our own: the same graph from the same seed with every standard library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  /// 0 … n-1 (splitmix64).
  int below(int n) {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<int>((z ^ (z >> 31)) % static_cast<std::uint64_t>(n));
  }

 private:
  std::uint64_t state_;
};

class Graph {
 public:
  explicit Graph(int ranks) : ranks_(ranks) {}
  void add(int from, int to, std::uint64_t bytes) {
    if (from != to && from >= 0 && to >= 0 && from < ranks_ && to < ranks_) edges_[{from, to}] += bytes;
  }
  void both(int a, int b, std::uint64_t bytes) {
    add(a, b, bytes);
    add(b, a, bytes);
  }
  bool has(int from, int to) const { return edges_.count({from, to}) != 0; }
  std::vector<Edge> edges() const {
    std::vector<Edge> out;
    for (const auto& [pair, bytes] : edges_) out.push_back({pair.first, pair.second, bytes});
    return out;
  }

 private:
  int ranks_;
  std::map<std::pair<int, int>, std::uint64_t> edges_;
};

/// Rows of the most nearly square grid of n places.
int rows_of(int n) {
  int rows = 1;
  for (int r = 1; r * r <= n; ++r)
    if (n % r == 0) rows = r;
  return rows;
}

void random(Graph& graph, const PatternOptions& o) {
  Dice dice(o.seed);
  const int degree = std::min(o.degree, o.ranks - 1);
  for (int from = 0; from < o.ranks; ++from)
    for (int sent = 0; sent < degree;) {
      const int to = dice.below(o.ranks);
      if (to == from || graph.has(from, to)) continue;
      graph.add(from, to, o.bytes);
      ++sent;
    }
}

/// One expert a rank. Each token goes to `degree` different experts; what stays on its own rank is no message.
void moe(Graph& graph, const PatternOptions& o) {
  Dice dice(o.seed);
  const int top = std::min(o.degree, o.ranks);
  for (int rank = 0; rank < o.ranks; ++rank)
    for (int token = 0; token < o.tokens; ++token) {
      std::vector<int> chosen;
      while (static_cast<int>(chosen.size()) < top) {
        const bool drawn_in = dice.below(100) < o.skew_percent;
        const int expert = drawn_in && chosen.empty() ? 0 : dice.below(o.ranks);
        if (std::find(chosen.begin(), chosen.end(), expert) == chosen.end()) chosen.push_back(expert);
      }
      for (const int expert : chosen) graph.add(rank, expert, o.bytes);
    }
}

const char* said_of(p2plab::schedule::EdgeFault fault) {
  using p2plab::schedule::EdgeFault;
  switch (fault) {
    case EdgeFault::words: return "three words are expected";
    case EdgeFault::number: return "that is no number";
    case EdgeFault::rank: return "there is no such rank";
    case EdgeFault::itself: return "a rank sends to itself";
    default: return "the size must be from 1 byte to 1 GiB";
  }
}

}  // namespace

std::vector<Edge> pattern(std::string_view name, const PatternOptions& o) {
  Graph graph(o.ranks);
  const int p = o.ranks;
  if (name == "chain") {
    for (int r = 0; r + 1 < p; ++r) graph.add(r, r + 1, o.bytes);
  } else if (name == "ring") {
    for (int r = 0; r < p; ++r) graph.add(r, (r + 1) % p, o.bytes);
  } else if (name == "star") {
    for (int r = 1; r < p; ++r) graph.both(0, r, o.bytes);
  } else if (name == "tree") {
    for (int r = 1; r < p; ++r) graph.both((r - 1) / 2, r, o.bytes);
  } else if (name == "grid") {
    const int columns = p / rows_of(p);
    for (int r = 0; r < p; ++r) {
      if (r % columns + 1 < columns) graph.both(r, r + 1, o.bytes);
      graph.both(r, r + columns, o.bytes);
    }
  } else if (name == "random") {
    random(graph, o);
  } else if (name == "moe") {
    moe(graph, o);
  } else {
    throw std::invalid_argument("There is no pattern '" + std::string(name) + "'; see p2plab demos.");
  }
  return graph.edges();
}

std::vector<Edge> read_pattern(const std::filesystem::path& file, int ranks) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file.string() + " cannot be read; give a text file with lines \"FROM TO BYTES\".");
  Graph graph(ranks);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const auto [edge, fault] = p2plab::schedule::read_edge(line, ranks);
    if (fault == p2plab::schedule::EdgeFault::nothing) continue;
    if (fault != p2plab::schedule::EdgeFault::none)
      throw std::runtime_error(file.string() + ", line " + std::to_string(number) + ": " + said_of(fault) +
                               "; write FROM TO BYTES, as in \"0 3 64K\", with ranks 0 to " + std::to_string(ranks - 1) + ".");
    graph.add(edge.from, edge.to, edge.bytes);
  }
  if (graph.edges().empty()) throw std::runtime_error(file.string() + " has no edges; write lines \"FROM TO BYTES\".");
  return graph.edges();
}

std::vector<Load> loads(const std::vector<Edge>& edges, int ranks) {
  std::vector<Load> out(static_cast<std::size_t>(ranks));
  for (const Edge& edge : edges) {
    out[static_cast<std::size_t>(edge.from)].out += edge.bytes;
    out[static_cast<std::size_t>(edge.to)].in += edge.bytes;
  }
  return out;
}

std::vector<Edge> heaviest(std::vector<Edge> edges, std::size_t count) {
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.bytes > b.bytes; });
  edges.resize(std::min(count, edges.size()));
  return edges;
}

std::uint64_t busiest(const std::vector<Load>& loads) {
  std::uint64_t out = 0;
  for (const Load& load : loads) out = std::max({out, load.out, load.in});
  return out;
}
