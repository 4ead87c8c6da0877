// The lab's side of the backend `sim`: a thread that lets the ranks of a job talk to their hub over a Unix socket.
#pragma once
#include <atomic>
#include <filesystem>
#include <memory>

#include "app/check/sim_witness.h"
#include "app/schedule/hub.h"

namespace p2plab::check {

class SimServer {
 public:
  /// Listens in the job's directory. Throws Error "sim.no_socket".
  SimServer(const std::filesystem::path& job, int ranks, const schedule::LinkCost& link);
  /// Ends at once, whatever the ranks do.
  ~SimServer();

  /// The virtual time, for the clock of a FeedReader. When nobody can ever go on it moves once more, by the time that a
  /// standstill has to last to be believed (analysis::kStandstillNs), and then stands: so what hangs can be seen.
  const std::atomic<schedule::Ns>& now() const;
  /// Nobody can ever go on.
  bool stuck() const;
  /// What the ranks did. Ends the world: to be asked once the job is over.
  const SimWitness& end();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace p2plab::check
