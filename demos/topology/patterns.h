// Who sends how much to whom: communication graphs by name, or from a text file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/schedule/edge_list.h"

using Edge = p2plab::schedule::Edge;

struct PatternOptions {
  int ranks = 8;
  std::uint64_t bytes = 65536;  ///< of each message; of moe: of one token
  int degree = 2;               ///< of random: messages that a rank sends; of moe: experts per token
  int tokens = 64;              ///< of moe: of each rank
  int skew_percent = 0;         ///< of moe: chance that a choice goes to expert 0 regardless
  std::uint64_t seed = 1;
};

/// chain, ring, star, tree, grid, random or moe: at most one edge per ordered pair, none from a rank to itself, sorted.
/// Throws std::invalid_argument for another name.
std::vector<Edge> pattern(std::string_view name, const PatternOptions& options);

/// Lines "FROM TO BYTES" (bytes as 4096, 64K, 1M); # begins a comment. Throws std::runtime_error naming file and line.
std::vector<Edge> read_pattern(const std::filesystem::path& file, int ranks);

struct Load {
  std::uint64_t out = 0, in = 0;
};
/// What passes through each rank's port.
std::vector<Load> loads(const std::vector<Edge>& edges, int ranks);
/// The links that carry most, the first `count` of them; of equals the lower ranks first.
std::vector<Edge> heaviest(std::vector<Edge> edges, std::size_t count);
/// The most that passes one way through one port: no schedule is faster than this over the link's bandwidth.
std::uint64_t busiest(const std::vector<Load>& loads);
