// Messages between GPUs over MPI: in pieces, through a few pinned buffers of the host. A message that fits into the
// buffers has left the GPU's memory soon after it was posted; of a longer one the rest stays there until the receiver
// takes the first pieces, as with every MPI that stages.
#pragma once
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>

#include "demos/p2p/cuda/copies.h"
#include "demos/p2p/host/mpi.h"

namespace p2p::cuda {

class StagedMessage;

class Staging {
 public:
  Staging(gpu::Gpu& gpu, std::shared_ptr<const Heard> heard);
  ~Staging();
  std::unique_ptr<Pending> send(const Transfer& transfer) { return post(true, transfer); }
  std::unique_ptr<Pending> receive(const Transfer& transfer) { return post(false, transfer); }
  /// Moves all messages on; true while there are any. Several threads may call it.
  bool progress();

 private:
  friend class StagedMessage;
  using Key = std::tuple<bool, int, int>;  ///< send, peer, tag
  std::unique_ptr<Pending> post(bool is_send, const Transfer& transfer);

  std::shared_ptr<gpu::Memory> memory_;
  std::shared_ptr<gpu::EventPool> events_;
  CopyStream to_host_, to_gpu_;
  std::mutex mutex_;
  std::list<std::shared_ptr<StagedMessage>> messages_;
  std::map<Key, std::deque<StagedMessage*>> order_;  ///< pieces of two messages must not mix: the front one may post
};

/// The ranks that a collective is for.
struct Members {
  MPI_Comm comm = MPI_COMM_WORLD;
  int ranks = 0;
};
/// A collective on the GPU's memory: copied to the host, carried out by MPI, and copied back. `copies` outlives it.
std::unique_ptr<Pending> staged_collective(const Collective& what, Members members, const std::shared_ptr<gpu::Memory>& memory,
                                           const std::shared_ptr<gpu::EventPool>& events, CopyStream& copies);

}  // namespace p2p::cuda
