// The active operations and their bytes, with the shadow that answers most questions without them. Not safe for threads
// by itself; only shadow().forbids… may be called beside a change.
#pragma once
#include <unordered_map>
#include <vector>

#include "demos/probe/access/pieces.h"
#include "demos/probe/access/shadow.h"

namespace p2plab::probe::access {

struct Operation {
  OperationId id;
  Use use;
  std::vector<Piece> pieces;  ///< normalized
  struct Told {
    void* pc;
    Violation::Kind kind;
    std::size_t way;
  };
  std::vector<Told> told;
  std::size_t place;  ///< in Operations::extents_
  bool shares;        ///< bytes with an operation that was active at the same time

  /// Remembers a violation at `pc` that was reached by a way; true the first time. Of a place that can be reached by
  /// many ways (a template of the C++ library, a recursion) only the first few are news.
  bool is_news(void* pc, Violation::Kind kind, std::size_t way);
};

class Operations {
 public:
  explicit Operations(Shadow& shadow) : shadow_(shadow) {}

  /// Adds the pieces (normalized) to the operation `id`, which is made when it is new.
  Operation& add(OperationId id, Use use, std::vector<Piece> pieces);
  /// Does nothing when there is no such operation.
  void remove(OperationId id);
  void clear();
  /// No operation has these bytes any longer; each keeps the rest of its own.
  void drop(Piece bytes);

  /// Calls f(Operation&, Piece common) for each operation that has any of the bytes: the lowest without a gap.
  template <class Function>
  void for_each_touching(Piece bytes, Function f) {
    if (!shadow_.forbids_range(bytes, true)) return;
    for (std::size_t i = 0; i < extents_.size(); ++i) {
      if (extents_[i].begin >= bytes.end || extents_[i].end <= bytes.begin) continue;
      if (const auto common = first_common(extents_[i].operation->pieces, bytes)) f(*extents_[i].operation, *common);
    }
  }
  /// Calls f(Operation&, Piece common) for each other operation that shares bytes with `operation`.
  template <class Function>
  void for_each_sharing(const Operation& operation, Function f) {
    if (operation.pieces.empty()) return;
    for (const Extent& extent : extents_) {
      if (extent.operation == &operation || extent.begin >= operation.pieces.back().end ||
          extent.end <= operation.pieces.front().begin)
        continue;
      if (const auto common = first_common(operation.pieces, extent.operation->pieces)) f(*extent.operation, *common);
    }
  }
  /// The lowest watched byte of `bytes`, or bytes.end.
  std::uintptr_t lowest(Piece bytes) const;
  /// Holds every watched byte, and not much else for long; empty when nothing is active.
  Piece bounds() const { return bounds_; }

 private:
  struct Extent {
    std::uintptr_t begin, end;
    Operation* operation;
  };
  void widen(Operation& operation);
  void measure();

  Shadow& shadow_;
  std::unordered_map<OperationId, Operation> by_id_;
  std::vector<Extent> extents_;
  Piece bounds_{~std::uintptr_t{0}, 0};
  std::size_t measured_ = 0;  ///< operations when the bounds were last exact
};

}  // namespace p2plab::probe::access
