// Messages between two processes on one GPU: the sender says over MPI where its buffer lies (CUDA IPC), the receiver copies
// from there, and says when it has. Nothing is staged, so the sender always waits for its receiver.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "demos/p2p/gpu/memory.h"
#include "demos/p2p/host/mpi.h"

namespace p2p::cuda {

class Direct {
 public:
  static constexpr std::size_t kSmallest = 64 * 1024;  ///< below, two more messages cost more than staging

  /// Every rank makes one at the same time: they tell each other which GPU they are on.
  Direct(std::shared_ptr<gpu::Memory> memory, int device, int rank, int ranks);
  /// Every rank; returns when nobody uses another's memory any more.
  ~Direct();
  Direct(const Direct&) = delete;
  Direct& operator=(const Direct&) = delete;

  /// Both ends answer the same for a message and its receive of the same size.
  bool takes(const Transfer& transfer) const {
    return transfer.bytes >= kSmallest && reachable_[static_cast<std::size_t>(transfer.peer)];
  }
  std::unique_ptr<Pending> send(const Transfer& transfer);
  std::unique_ptr<Pending> receive(const Transfer& transfer);

 private:
  friend class DirectReceive;
  std::byte* open(int peer, const cudaIpcMemHandle_t& handle);

  std::shared_ptr<gpu::Memory> memory_;
  std::shared_ptr<gpu::EventPool> events_;
  gpu::StreamHandle stream_;
  std::vector<bool> reachable_;  ///< by rank: another process on the same GPU
  MPI_Comm headers_ = MPI_COMM_NULL, answers_ = MPI_COMM_NULL;
  std::mutex mutex_;
  std::map<std::pair<int, std::string>, std::byte*> opened_;  ///< of (peer, handle), until the end
};

}  // namespace p2p::cuda
