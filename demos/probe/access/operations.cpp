// The active operations and their bytes.
#include "demos/probe/access/operations.h"

#include <algorithm>

namespace p2plab::probe::access {

bool Operation::is_news(void* pc, Violation::Kind kind, std::size_t way) {
  constexpr int kWays = 16;
  int ways = 0;
  for (const Told& one : told) {
    if (one.pc != pc || one.kind != kind) continue;
    if (one.way == way || ++ways == kWays) return false;
  }
  told.push_back({pc, kind, way});
  return true;
}

Operation& Operations::add(OperationId id, Use use, std::vector<Piece> pieces) {
  auto [found, is_new] = by_id_.try_emplace(id, Operation{id, use, {}, {}, extents_.size(), false});
  Operation& operation = found->second;
  if (is_new) extents_.push_back({0, 0, &operation});
  measured_ = std::max(measured_, extents_.size());
  const bool met =  // the shadow must be asked before it learns of the new bytes
      std::any_of(pieces.begin(), pieces.end(), [&](const Piece& piece) { return shadow_.forbids_range(piece, true); });
  for (const Piece& piece : pieces) shadow_.mark(piece, operation.use);
  if (operation.pieces.empty()) {
    operation.pieces = std::move(pieces);
  } else {
    operation.pieces.insert(operation.pieces.end(), pieces.begin(), pieces.end());
    operation.pieces = normalized(operation.pieces);
  }
  widen(operation);
  if (met) {
    for_each_sharing(operation, [&](Operation& other, Piece) { operation.shares = other.shares = true; });
  }
  return operation;
}

void Operations::widen(Operation& operation) {
  Extent& extent = extents_[operation.place];
  extent.begin = operation.pieces.empty() ? 0 : operation.pieces.front().begin;
  extent.end = operation.pieces.empty() ? 0 : operation.pieces.back().end;
  if (operation.pieces.empty()) return;
  bounds_.begin = std::min(bounds_.begin, extent.begin);
  bounds_.end = std::max(bounds_.end, extent.end);
}

void Operations::measure() {
  measured_ = extents_.size();
  bounds_ = {~std::uintptr_t{0}, 0};
  for (const Extent& extent : extents_) {
    if (extent.begin == extent.end) continue;
    bounds_.begin = std::min(bounds_.begin, extent.begin);
    bounds_.end = std::max(bounds_.end, extent.end);
  }
}

void Operations::remove(OperationId id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return;
  Operation& operation = found->second;
  if (operation.shares && operation.use == Use::send) {
    std::vector<Piece> mine = operation.pieces;
    for (const Extent& extent : extents_) {
      if (mine.empty()) break;
      if (extent.operation == &operation || extent.begin >= mine.back().end || extent.end <= mine.front().begin)
        continue;
      mine = without(mine, extent.operation->pieces);
    }
    for (const Piece& piece : mine) shadow_.clear(piece);
  } else {
    for (const Piece& piece : operation.pieces) shadow_.clear(piece);
    if (operation.shares) {
      for_each_sharing(operation, [&](Operation& other, Piece) {
        for (const Piece& piece : other.pieces) shadow_.mark(piece, other.use);
      });
    }
  }
  extents_[operation.place] = extents_.back();
  extents_[operation.place].operation->place = operation.place;
  extents_.pop_back();
  by_id_.erase(found);
  if (2 * extents_.size() <= measured_) measure();  // bounds that are too wide cost little, measuring each time would
}

void Operations::clear() {
  for (const Extent& extent : extents_) {
    for (const Piece& piece : extent.operation->pieces) shadow_.clear(piece);
  }
  extents_.clear();
  by_id_.clear();
  measure();
}

void Operations::drop(Piece bytes) {
  for_each_touching(bytes, [&](Operation& operation, Piece) {
    for (const Piece& piece : operation.pieces) {  // which may be far less than `bytes`
      const Piece lost{std::max(piece.begin, bytes.begin), std::min(piece.end, bytes.end)};
      if (lost.begin < lost.end) shadow_.clear(lost);
    }
    operation.pieces = without(operation.pieces, std::span(&bytes, 1));
    widen(operation);
  });
  measure();
}

std::uintptr_t Operations::lowest(Piece bytes) const {
  std::uintptr_t found = bytes.end;
  for (const Extent& extent : extents_) {
    if (extent.begin >= found || extent.end <= bytes.begin) continue;
    if (const auto common = first_common(extent.operation->pieces, {bytes.begin, found})) found = common->begin;
  }
  return found;
}

}  // namespace p2plab::probe::access
