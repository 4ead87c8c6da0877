// The lab's side of the live feed: turns the rings of all ranks into the append-only trace.
#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

#include "app/trace/trace.h"

namespace p2plab::trace {

/// How long to leave the rings alone between two looks. Where there is no third core a look takes one from the ranks; a ring holds
/// 8 ms of the shortest messages.
constexpr std::chrono::milliseconds kLookEvery{4};
/// The same while records come so slowly that no ring fills up by half in it.
constexpr std::chrono::milliseconds kLookSeldom{16};

class FeedReader {
 public:
  /// Reads DIR/rank-0.feed … of a job of `ranks` ranks; a feed may appear later.
  FeedReader(std::filesystem::path dir, int ranks, const ClockScale& clock);
  ~FeedReader();
  FeedReader(FeedReader&&) noexcept;

  /// Moves at most `budget` records into the trace and samples every thread's state. Never blocks.
  /// Returns the number moved; call again at once while it equals the budget.
  std::size_t poll(Trace& trace, std::size_t budget = 65536);
  /// How long to leave the rings alone after the last poll: kLookEvery or kLookSeldom.
  std::chrono::milliseconds rest() const;
  /// Ranks that have passed finalize.
  int finished() const;
  /// Ranks whose feed is there, that came out of MPI_Init, and out of MPI_Finalize.
  int attached() const;
  int initialized() const;
  int finalized() const;
  bool finalized(int rank) const;
  bool finished(int rank) const;
  bool initialized(int rank) const;
  /// Process id of a rank, 0 while its feed is not there, and the Linux ids of its recording threads.
  int process(int rank) const;
  std::vector<int> threads(int rank) const;
  /// How a site that a rank wrote as an address ("@program+0x12") becomes "file:line". Call before the first poll.
  void resolve_sites(std::function<std::string(std::string_view)> resolve);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace p2plab::trace
