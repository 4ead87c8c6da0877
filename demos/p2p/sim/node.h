// One rank's side of the virtual world: its lanes, what they wait for, and the connection to the hub.
//
// Virtual time stands still while any lane runs. The lane that is the last to wait tells the hub that this rank is quiet
// and takes in what the hub answers, until a lane can go on.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/schedule/hub_protocol.h"

namespace p2p::sim {

namespace hub = p2plab::schedule::hub;

/// An operation from post to completion.
struct Operation {
  std::byte* data = nullptr;     ///< of a send: read when asked; of a receive or a collective: where the result goes
  std::size_t capacity = 0;
  std::vector<std::byte> copy;   ///< of an eager send: what MPI took when it was posted
  std::string error;             ///< set before `done`
  std::atomic<bool> done{false};
};

class Node {
 public:
  /// Connects to the hub of the job. Throws BackendError.
  Node(const std::string& job, int rank);
  ~Node();

  /// Whether an operation is told to the hub at once, or only when the rank makes progress (progressed(), or a wait in a call).
  enum class Told : std::uint8_t { at_once, by_progress };
  /// Sends a frame with its payload to the hub; the operation is known by its number from now on. `eager`: the data is
  /// copied now, and the caller may overwrite it.
  std::shared_ptr<Operation> post(hub::Head head, std::byte* data, std::size_t capacity, const void* payload, std::size_t size,
                                  bool eager = false, Told told = Told::at_once);
  /// A lane is in a call that makes progress: what was posted so far is told before time goes on.
  void progressed() { progressed_.store(true, std::memory_order_relaxed); }

  /// The calling lane waits until `ready` or the virtual instant `deadline`. While nobody can ever go on `stuck` is called
  /// now and then. `in_call`: in a call of the communication library, which makes progress as long as it waits.
  void wait(const std::function<bool()>& ready, std::int64_t deadline, const std::function<void()>& stuck, bool in_call = false);
  /// Something that lanes of this rank may wait for has changed.
  void changed();
  /// Another thread is about to run as a lane; it is over.
  void lane_begins();
  void lane_ends();
  /// Leaves: returns when all ranks have come this far.
  void leave();

  const std::atomic<std::int64_t>& now() const { return now_; }

 private:
  struct Waiting {
    const std::function<bool()>* ready;
    std::int64_t deadline;
    bool in_call = false, woken = false;
    std::condition_variable wake;
  };
  void pump(std::unique_lock<std::mutex>& lock);
  void take_in(std::unique_lock<std::mutex>& lock);
  bool wake_ready();
  void tell();
  void send(const hub::Head& head, const void* payload, std::size_t size);
  bool receive(void* into, std::size_t size);

  int socket_ = -1;
  std::mutex mutex_;
  int running_ = 1;                ///< lanes; the host is there from the start
  std::list<Waiting*> waiting_;
  std::map<std::uint32_t, std::shared_ptr<Operation>> operations_;
  std::uint32_t next_ = 1;
  std::vector<std::byte> unsent_;  ///< frames of this instant
  std::vector<hub::Head> untold_;  ///< messages that wait for progress, and what was posted behind them
  std::atomic<bool> progressed_{false};  ///< since the last message that waits for it was posted
  std::atomic<std::int64_t> now_{0};
  std::atomic<bool> stuck_{false};
  bool all_left_ = false;
};

}  // namespace p2p::sim
