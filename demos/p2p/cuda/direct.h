// Messages between two processes on one GPU: the sender says over MPI where its buffer lies and which event of its stream
// stands before it (CUDA IPC), the receiver copies from there behind that event and records one of the sender's. Where
// events cannot be shared the host orders the copies. Nothing is staged, so the sender always waits for its receiver,
// whose copy begins whichever of its own messages the receiver waits for.
#pragma once
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "demos/p2p/cuda/copies.h"
#include "demos/p2p/host/mpi.h"

namespace p2p::cuda {

class DirectMessage;

class Direct {
 public:
  static constexpr std::size_t kSmallest = 64 * 1024;  ///< below, two more messages cost more than staging

  /// Every rank makes one at the same time: they tell each other which GPU they are on, and try each other's memory. Where
  /// it cannot be opened (IPC may be forbidden, as in some containers), messages are staged.
  Direct(gpu::Gpu& gpu, std::shared_ptr<const Heard> heard, int rank, int ranks);
  /// Every rank; returns when nobody uses another's memory any more.
  ~Direct();
  Direct(const Direct&) = delete;
  Direct& operator=(const Direct&) = delete;

  /// Both ends answer the same for a message and its receive of the same size.
  bool takes(const Transfer& transfer) const {
    return transfer.bytes >= kSmallest && reachable_[static_cast<std::size_t>(transfer.peer)];
  }
  /// Events of both processes are seen by the other: a send may be announced before its stream has come there.
  bool shares_events(int peer) const { return shares_events_[static_cast<std::size_t>(peer)]; }
  int ranks_on_gpu() const { return ranks_on_gpu_; }
  /// Behind all that is on the stream `behind`; null: at once.
  std::unique_ptr<Pending> send(const Transfer& transfer, cudaStream_t behind = nullptr);
  std::unique_ptr<Pending> receive(const Transfer& transfer);
  /// Moves all messages on; true while there are any. Several threads may call it.
  bool progress();

 private:
  friend class DirectReceive;
  std::unique_ptr<Pending> post(std::shared_ptr<DirectMessage> message);
  // With mutex_ held:
  std::byte* open(int peer, const cudaIpcMemHandle_t& handle);
  cudaEvent_t open(int peer, const cudaIpcEventHandle_t& handle);
  std::unique_ptr<CopyStream> take_stream();

  gpu::Gpu& gpu_;
  std::shared_ptr<const Heard> heard_;
  std::shared_ptr<gpu::EventPool> events_, shared_events_;
  int ranks_on_gpu_ = 1;
  std::vector<bool> reachable_;      ///< by rank: another process on the same GPU, each opens the other's memory
  std::vector<bool> shares_events_;  ///< by rank
  MPI_Comm headers_ = MPI_COMM_NULL, answers_ = MPI_COMM_NULL;
  std::mutex mutex_;
  std::list<std::shared_ptr<DirectMessage>> messages_;
  std::map<std::pair<int, std::string>, std::byte*> opened_;  ///< of (peer, handle), until the end
  std::map<std::pair<int, std::string>, gpu::EventHandle> opened_events_;
  std::vector<std::unique_ptr<CopyStream>> streams_;  ///< a copy may stand for long: each that is under way has one of its own
  int streams_made_ = 0;
};

}  // namespace p2p::cuda
