// Ties sends to receives by MPI's order rules: per (communicator, source, destination, tag), first posted first matched.
// Under `nccl` semantics tags do not exist and the key is the ordered pair.
#pragma once
#include <memory>

#include "app/trace/trace.h"

namespace p2plab::analysis {

/// Follows a growing trace: reads the spans in flight it has not seen and appends to trace.messages().
class Matcher {
 public:
  Matcher();
  ~Matcher();
  Matcher(Matcher&&) noexcept;
  /// Incremental: cost follows what is new. Also fills in instants that became known since.
  void update(trace::Trace& trace);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace p2plab::analysis
