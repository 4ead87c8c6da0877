// What the profiling layer knows of its process: the rank, the feed, the lab's orders. Made once and never destroyed, for
// the program may call MPI, or end, from a destructor.
#pragma once
#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "app/trace/control.h"
#include "app/trace/recorder.h"

#define P2PLAB_MPI extern "C" __attribute__((visibility("default")))
/// Where the program called us; must stand in the wrapper itself.
#define P2PLAB_CALLER __builtin_return_address(0)
/// Takes the brackets off a list in a macro's argument.
#define P2PLAB_BARE(...) __VA_ARGS__

namespace p2plab::probe {

using trace::Record;
using trace::RecordType;
using trace::StringHandle;

class Probe {
 public:
  static Probe& get() { return instance_ != nullptr ? *instance_ : make(); }

  trace::Recorder recorder;
  trace::ProbeControl orders;     ///< of the run; all off when there is no lab
  std::uint64_t seed = 0;
  int rank = -1, size = 0;        ///< in MPI_COMM_WORLD
  int tag_limit = 32767;          ///< MPI_TAG_UB
  bool threads = false;           ///< several threads may call MPI at the same time
  bool one_thread = false;        ///< only the thread that has initialized MPI may call it
  bool unhindered = false;        ///< nothing is hashed, watched or held up: a call may take the short way
  std::atomic<bool> initialized{false}, finalized{false};
  StringHandle in_flight = 0;     ///< the lane

  std::optional<trace::Control> control;  ///< of the job; empty when there is no lab
  bool stepping = false;          ///< the lab lets communication calls go one by one
  /// After PMPI_Init.
  void start(int provided);
  /// A number for an operation, unique in the rank.
  std::int32_t next_request() {
    if (threads) return next_request_.fetch_add(1, std::memory_order_relaxed);
    const std::int32_t number = next_request_.load(std::memory_order_relaxed);
    next_request_.store(number + 1, std::memory_order_relaxed);
    return number;
  }
  /// Opens the feed of this process if the lab asks for one and nobody has it yet.
  void open_feed(int feed_rank);
  /// A child made by fork records nothing: the feed is its parent's.
  void leave_feed();

 private:
  static Probe& make();
  static inline constinit Probe* instance_ = nullptr;
  Probe();
  void note_threads();
  std::atomic<std::int32_t> next_request_{0};
};

/// Locks only where several threads may call MPI.
class Guard {
 public:
  explicit Guard(std::mutex& mutex) : mutex_(Probe::get().threads ? &mutex : nullptr) {
    if (mutex_ != nullptr) mutex_->lock();
  }
  ~Guard() {
    if (mutex_ != nullptr) mutex_->unlock();
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  std::mutex* mutex_;
};

}  // namespace p2plab::probe
