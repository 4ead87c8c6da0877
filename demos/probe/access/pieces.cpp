// Sorted, disjoint pieces: the set algebra of type maps.
#include "demos/probe/access/pieces.h"

#include <algorithm>

namespace p2plab::probe::access {
namespace {

/// The first piece that ends behind `address`.
std::size_t first_behind(std::span<const Piece> pieces, std::uintptr_t address) {
  const auto found = std::upper_bound(pieces.begin(), pieces.end(), address,
                                      [](std::uintptr_t value, const Piece& piece) { return value < piece.end; });
  return static_cast<std::size_t>(found - pieces.begin());
}

}  // namespace

std::vector<Piece> normalized(std::span<const Piece> pieces) {
  std::vector<Piece> sorted(pieces.begin(), pieces.end());
  std::erase_if(sorted, [](const Piece& piece) { return piece.begin >= piece.end; });
  const auto before = [](const Piece& a, const Piece& b) { return a.begin < b.begin; };
  if (!std::is_sorted(sorted.begin(), sorted.end(), before)) std::sort(sorted.begin(), sorted.end(), before);
  std::size_t last = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].begin <= sorted[last].end) {
      sorted[last].end = std::max(sorted[last].end, sorted[i].end);
    } else {
      sorted[++last] = sorted[i];
    }
  }
  if (!sorted.empty()) sorted.resize(last + 1);
  return sorted;
}

std::optional<Piece> first_common(std::span<const Piece> pieces, Piece bytes) {
  const std::size_t i = first_behind(pieces, bytes.begin);
  if (i == pieces.size() || pieces[i].begin >= bytes.end || bytes.begin >= bytes.end) return std::nullopt;
  return Piece{std::max(pieces[i].begin, bytes.begin), std::min(pieces[i].end, bytes.end)};
}

std::optional<Piece> first_common(std::span<const Piece> a, std::span<const Piece> b) {
  if (a.size() > b.size()) std::swap(a, b);
  for (const Piece& piece : a) {
    if (const auto common = first_common(b, piece)) return common;
  }
  return std::nullopt;
}

std::vector<Piece> without(std::span<const Piece> pieces, std::span<const Piece> taken) {
  std::vector<Piece> rest;
  for (Piece piece : pieces) {
    for (std::size_t i = first_behind(taken, piece.begin); i < taken.size() && taken[i].begin < piece.end; ++i) {
      if (piece.begin < taken[i].begin) rest.push_back({piece.begin, taken[i].begin});
      piece.begin = std::min(taken[i].end, piece.end);
    }
    if (piece.begin < piece.end) rest.push_back(piece);
  }
  return rest;
}

}  // namespace p2plab::probe::access
