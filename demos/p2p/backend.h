// The seam between the runtime and what carries its messages. A backend is a plugin, libp2plab-NAME.so beside
// libp2plab-p2p.so; it exports one function, `p2plab_make_backend`. It posts and tests; recording, waiting, streams,
// link emulation and the rules of --semantics are the runtime's, the same for every backend.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "demos/p2p/options.h"
#include "demos/p2p/world.h"

namespace p2p {

class Device;  // device.h

/// What the library below said when it refused; the runtime adds call, peer, tag and size.
class BackendError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One message as handed to the transport. `data` is the user's own memory.
struct Transfer {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  int peer = 0;
  int tag = 0;
  bool synchronous = false;  ///< of a send: complete only once it is matched
};

struct Collective {
  enum class Type : std::uint8_t { barrier, broadcast, all_reduce, all_gather, reduce_scatter, all_to_all };
  Type type = Type::barrier;
  const std::byte* in = nullptr;  ///< null: in place
  std::byte* out = nullptr;
  std::size_t count = 0;          ///< elements of one rank's part
  DType dtype = DType::f32;
  Reduce reduce = Reduce::sum;
  int root = 0;                   ///< its place in the group
  int group = 0;                  ///< of Backend::new_group; 0: all ranks
};

/// A posted operation. Destroying it before completion abandons it.
class Pending {
 public:
  virtual ~Pending() = default;
  /// Makes progress; true once it is complete, and not called again then. Throws BackendError.
  virtual bool test() = 0;
  /// True once test() would say or throw something; changes nothing. Only where waiting is virtual.
  virtual bool ready() const { return false; }
};

/// Runs the tasks of one stream in order. The destructor returns when all of them are done.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void enqueue(std::function<void()> task) = 0;
};

/// What the runtime wants to be told by the thread behind a stream.
struct ExecutorHooks {
  std::function<void()> started, idle, busy, ended;
};

class Backend {
 public:
  /// Leaves the job: returns when every rank has come this far. What is still pending, and its memory, outlives it.
  virtual ~Backend() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual std::string library() const = 0;  ///< "MPICH 4.0.2"

  // Posting never waits. Two messages of one thread to the same peer are posted in program order.
  virtual std::unique_ptr<Pending> send(const Transfer& transfer) = 0;
  virtual std::unique_ptr<Pending> receive(const Transfer& transfer) = 0;
  virtual std::unique_ptr<Pending> collective(const Collective& collective) = 0;
  /// A group of these ranks, this one among them: its name for Collective::group. Every member asks, in the same order.
  virtual int new_group(std::span<const int> ranks);
  /// What is posted in between progresses together (ncclGroupStart, ncclGroupEnd). MPI needs neither.
  virtual void group_begin() {}
  virtual void group_end() {}

  /// Largest standard send that completes without a receive; every rank calls it.
  virtual std::uint64_t measure_eager_limit() = 0;

  /// The GPU whose streams, events and memory take the place of the runtime's own; null: there is none.
  virtual Device* device() { return nullptr; }
  /// Only --semantics nccl makes sense: send and recv block streams, not the caller.
  virtual bool streams_only() const { return false; }

  /// A stream: a worker thread, unless the backend has streams of its own.
  virtual std::unique_ptr<Executor> make_executor(std::string_view name, ExecutorHooks hooks);
  // The clock that waiting and pacing follow: real, unless the backend has a virtual one.
  virtual std::int64_t now_ns() const;
  virtual void sleep_until(std::int64_t ns);

  // A backend whose clock is virtual carries the modelled link itself, and does all waiting: time moves only while every
  // lane of every rank waits here.
  /// Null where time is real.
  virtual const std::atomic<std::int64_t>* virtual_now() const { return nullptr; }
  /// Returns when `ready` holds. It is asked on any thread, under locks of the backend. `stuck` is called now and then
  /// once no rank can ever go on. `in_call`: for a message or a collective, so that the library makes progress meanwhile.
  virtual void wait_virtually(const std::function<bool()>& ready, const std::function<void()>& stuck, bool in_call);
  /// Something has changed for which lanes of this rank may wait.
  virtual void changed() {}
};

/// Loads the plugin and joins the job. Throws Error when there is no such plugin, saying what to do.
std::unique_ptr<Backend> load_backend(const Options& options);

}  // namespace p2p

/// Exported by every plugin.
extern "C" p2p::Backend* p2plab_make_backend(const p2p::Options& options);
