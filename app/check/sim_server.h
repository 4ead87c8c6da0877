// The lab's side of the backend `sim`: a thread that lets the ranks of a job talk to their hub over a Unix socket.
#pragma once
#include <atomic>
#include <filesystem>
#include <memory>

#include "app/schedule/hub.h"

namespace p2plab::check {

class SimServer {
 public:
  /// Listens in the job's directory. Throws Error "sim.no_socket".
  SimServer(const std::filesystem::path& job, int ranks, const schedule::LinkCost& link);
  /// Ends at once, whatever the ranks do.
  ~SimServer();

  /// The virtual time, for the clock of a FeedReader. When nobody can ever go on it runs on slowly, so that what watches a
  /// run for standstills sees one.
  const std::atomic<schedule::Ns>& now() const;
  /// Nobody can ever go on.
  bool stuck() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace p2plab::check
