// Sorted, disjoint pieces: the set algebra of type maps.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "demos/probe/access/watch.h"

namespace p2plab::probe::access {

/// Sorted by address, empty pieces removed, pieces that touch or overlap joined.
std::vector<Piece> normalized(std::span<const Piece> pieces);
/// The lowest bytes without a gap that `bytes` shares with `pieces` (normalized); nothing when they share none.
std::optional<Piece> first_common(std::span<const Piece> pieces, Piece bytes);
/// The same for two normalized sets.
std::optional<Piece> first_common(std::span<const Piece> a, std::span<const Piece> b);
/// `pieces` without `taken`; both normalized.
std::vector<Piece> without(std::span<const Piece> pieces, std::span<const Piece> taken);

}  // namespace p2plab::probe::access
