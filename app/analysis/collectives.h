// Collective calls compared over the ranks of their communicator: the same call in the same order, with the same root,
// operation and amounts (MPI 4.1, section 6.1).
#pragma once
#include <memory>
#include <optional>

#include "app/analysis/finding.h"

namespace p2plab::analysis {

/// Follows a growing trace.
class CollectiveCheck {
 public:
  CollectiveCheck();
  ~CollectiveCheck();
  CollectiveCheck(CollectiveCheck&&) noexcept;
  /// Reads what is new. The first mismatch, once.
  std::optional<Finding> update(const trace::Trace& trace);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace p2plab::analysis
