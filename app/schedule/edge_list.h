// Lines "FROM TO BYTES" of a communication graph: what the demo topology runs, and what a run is refused for before it starts.
#pragma once
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

namespace p2plab::schedule {

struct Edge {
  int from = 0, to = 0;
  std::uint64_t bytes = 0;
  bool operator==(const Edge&) const = default;
};

enum class EdgeFault { none, nothing, words, number, rank, itself, size };  ///< nothing: a blank line or a comment

struct EdgeLine {
  Edge edge;
  EdgeFault fault = EdgeFault::none;
};

constexpr std::uint64_t kLargestEdge = std::uint64_t{1} << 30;

/// 4096, 64K, 1MiB. Throws std::logic_error for what is no amount.
inline std::uint64_t edge_bytes(const std::string& word) {
  std::size_t used = 0;
  const std::uint64_t number = std::stoull(word, &used);
  std::string unit = word.substr(used);
  if (unit.empty() || unit == "B") return number;
  const std::size_t power = std::string("KMG").find(static_cast<char>(unit.front() & ~0x20));  // upper case
  unit.erase(0, 1);
  if (power == std::string::npos || (!unit.empty() && unit != "B" && unit != "iB")) throw std::invalid_argument(word);
  if (number > kLargestEdge) return number;  // too large, whatever the unit
  return number << (10 * (power + 1));
}

/// One line, of a graph of `ranks` ranks; # begins a comment.
inline EdgeLine read_edge(const std::string& line, int ranks) {
  std::istringstream words(line.substr(0, line.find('#')));
  std::string from, to, bytes, more;
  if (!(words >> from)) return {{}, EdgeFault::nothing};
  if (!(words >> to >> bytes) || (words >> more)) return {{}, EdgeFault::words};
  Edge edge;
  try {
    std::size_t used_from = 0, used_to = 0;
    edge.from = std::stoi(from, &used_from);
    edge.to = std::stoi(to, &used_to);
    if (used_from != from.size() || used_to != to.size() || bytes.front() == '-') return {{}, EdgeFault::number};
    edge.bytes = edge_bytes(bytes);
  } catch (const std::logic_error&) {
    return {{}, EdgeFault::number};
  }
  if (edge.from < 0 || edge.to < 0 || edge.from >= ranks || edge.to >= ranks) return {edge, EdgeFault::rank};
  if (edge.from == edge.to) return {edge, EdgeFault::itself};
  if (edge.bytes == 0 || edge.bytes > kLargestEdge) return {edge, EdgeFault::size};
  return {edge, EdgeFault::none};
}

}  // namespace p2plab::schedule
