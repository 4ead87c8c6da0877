// The lab's side of the live feed: turns the rings of all ranks into the append-only trace.
#pragma once
#include <filesystem>
#include <memory>

#include "app/trace/trace.h"

namespace p2plab::trace {

class FeedReader {
 public:
  /// Reads DIR/rank-0.feed … of a job of `ranks` ranks; a feed may appear later.
  FeedReader(std::filesystem::path dir, int ranks, const ClockScale& clock);
  ~FeedReader();
  FeedReader(FeedReader&&) noexcept;

  /// Moves at most `budget` records into the trace and samples every thread's state. Never blocks.
  /// Returns the number moved; call again at once while it equals the budget.
  std::size_t poll(Trace& trace, std::size_t budget = 65536);
  /// Ranks that have passed finalize.
  int finished() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace p2plab::trace
