// Reads what a job prints, on a thread of its own: a rank never waits for its reader, a flood never reaches the lab's
// other threads, and no more than head and tail are kept.
#pragma once
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/launch/fd.h"
#include "app/launch/output_keeper.h"

namespace p2plab::launch {

class OutputReader {
 public:
  /// Drains every descriptor of `sources`, keeping `capacity` bytes of each.
  OutputReader(std::vector<Fd> sources, std::size_t capacity);
  ~OutputReader();
  OutputReader(const OutputReader&) = delete;
  OutputReader& operator=(const OutputReader&) = delete;

  /// Reads what is still in the pipes and ends the thread. Call it when nobody writes any more.
  void finish();
  std::uint64_t total(std::size_t source) const;
  RankOutput snapshot(std::size_t source) const;

 private:
  void run();
  void drain(std::size_t source, bool all);
  std::vector<Fd> sources_;
  mutable std::mutex mutex_;
  std::vector<OutputKeeper> kept_;
  std::string buffer_;
  std::atomic<bool> stopping_{false};
  Fd wake_;
  std::thread thread_;
};

}  // namespace p2plab::launch
