// A NCCL communicator that does not block: every call may answer "in progress", and nothing else may be done with it, nor
// with the stream, before it says otherwise (NCCL user guide, "Nonblocking Group").
#pragma once
#include <nccl.h>

#include <functional>
#include <mutex>

#include "demos/p2p/gpu/cuda.h"

namespace p2p::nccl {

/// Throws BackendError unless `code` is success or in progress.
void check(ncclResult_t code, const char* call, ncclComm_t comm = nullptr);

class Communicator {
 public:
  /// Every one of `ranks` calls this with the same id. Returns at once; wait with ready().
  Communicator(const ncclUniqueId& id, int ranks, int rank);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  /// True once the last call is no longer in progress, and never again after abort(). Throws BackendError for what went
  /// wrong on the way.
  bool ready();
  ncclComm_t get() const { return comm_; }
  /// On any thread; NCCL frees the communicator, and nothing is called on it any more.
  void abort() noexcept;

 private:
  friend void group(Communicator& communicator, const char* what, const std::function<void(ncclComm_t)>& calls);
  ncclComm_t comm_ = nullptr;
  std::mutex mutex_;  ///< guards what follows, and every call: another thread may abort
  bool gone_ = false;
  const char* last_ = "ncclCommInitRankConfig";  ///< what may be in progress
};

/// An open group of calls; an error on the way closes it, too, and what that would say is known.
class OpenGroup {
 public:
  OpenGroup() { check(ncclGroupStart(), "ncclGroupStart"); }
  OpenGroup(const OpenGroup&) = delete;
  OpenGroup& operator=(const OpenGroup&) = delete;
  ~OpenGroup() {
    if (open_) ncclGroupEnd();
  }
  /// Unless it stands inside another, its calls go on their way now.
  void close(ncclComm_t comm = nullptr) {
    open_ = false;
    check(ncclGroupEnd(), "ncclGroupEnd", comm);
  }

 private:
  bool open_ = true;
};

/// What `calls` posts goes on its way together; `what` names it in an error. A single call, too, is put into a group: alone it
/// once returned before its kernel was on the stream (nccl#1495). Nothing after abort().
void group(Communicator& communicator, const char* what, const std::function<void(ncclComm_t)>& calls);

}  // namespace p2p::nccl
