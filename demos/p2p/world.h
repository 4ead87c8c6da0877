// The runtime a rank program is written against, once for every backend. Names follow PyTorch and CUDA:
// World, Tensor, Stream, Event, Work; isend, irecv, batch_isend_irecv, all_reduce, …
//
// Two sets of rules (--semantics):
//   mpi   send and recv block the calling thread; Work::wait() blocks the calling thread; messages have tags.
//   nccl  every operation is enqueued on a stream (`comm` unless another is given) and the call returns; Work::wait()
//         makes the *current stream* (compute) wait; no tags: first in, first out per ordered pair of ranks; what must
//         progress together belongs into one batch_isend_irecv. The stream `comm` first waits for `compute`, as
//         torch.distributed's does; a stream that the caller chooses waits for nothing but what he says.
#pragma once
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/trace/record.h"
#include "demos/p2p/kernels.h"
#include "demos/p2p/tensor.h"

namespace p2p {

using Where = std::source_location;
using p2plab::trace::Kind;

class Runtime;
struct StreamState;
struct EventState;
struct WorkState;
struct GroupState;

/// An instant on a stream. record() sets it, wait() and synchronize() use it.
class Event {
 public:
  Event() = default;
  bool query() const;  ///< true once the work before record() is done
  void synchronize(Where where = Where::current()) const;  ///< the calling thread waits
 private:
  friend class Stream;
  friend class Runtime;
  std::shared_ptr<EventState> state_;
};

/// An in-order queue of work beside the calling thread; on `host` a worker thread, on CUDA a stream.
class Stream {
 public:
  Stream() = default;
  std::string_view name() const;
  Event record(Where where = Where::current());                     ///< an event after everything enqueued so far
  void wait(const Event& event, Where where = Where::current());    ///< later work waits for the event; the caller goes on
  void synchronize(Where where = Where::current());                 ///< the calling thread waits until the queue is empty
 private:
  friend class World;
  friend class Runtime;
  std::shared_ptr<StreamState> state_;
};

/// A pending operation (torch.distributed.Work). Dropping it without wait() is a leak, and is reported as one.
class Work {
 public:
  Work() = default;
  void wait(Where where = Where::current());
  bool is_completed() const;  ///< tests without blocking (and so makes progress)
  bool defined() const { return state_ != nullptr; }
 private:
  friend class World;
  friend class Runtime;
  std::shared_ptr<WorkState> state_;
};

/// Some of the ranks, in the order given (a process group of torch.distributed, a communicator of MPI).
class Group {
 public:
  Group() = default;
  bool defined() const { return state_ != nullptr; }
 private:
  friend class World;
  friend class Runtime;
  std::shared_ptr<GroupState> state_;
};

/// One element of batch_isend_irecv (torch.distributed.P2POp).
struct P2POp {
  enum class Type : std::uint8_t { isend, irecv } type = Type::isend;
  Tensor tensor;
  int peer = 0;
  int tag = 0;
};

/// What a piece of pipeline work is, for the trace.
struct ComputeLabel {
  Kind kind = Kind::compute;
  std::string name;         ///< empty: from kind and microbatch ("F3")
  int microbatch = -1;
  int chunk = -1;
  int stage = -1;
};

enum class Reduce : std::uint8_t { sum, max };

/// What has to be made before a program's run begins, for to make it later may wait for kernels.
struct Needs {
  bool products = false;  ///< it launches products of matrices
};

/// This process's membership in the job. One per process.
class World {
 public:
  /// Reads --backend, --semantics, --link, --compute, --seed, --strict and --set KNOB=VALUE, joins the job, opens the feed.
  World(int argc, char** argv, Needs needs = {});
  ~World();  ///< finalizes: the rank releases nobody any more
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int rank() const;
  int size() const;
  std::uint64_t seed() const;
  bool strict() const;             ///< standard sends are synchronous
  bool nccl_semantics() const;
  /// The clock that waiting and pacing follow, in ns from some origin: real, or the virtual one of `sim`.
  std::int64_t now_ns() const;

  // Knobs of demo.toml, as given by --set, else `fallback`.
  std::string knob(std::string_view id, std::string_view fallback) const;
  std::int64_t knob(std::string_view id, std::int64_t fallback) const;

  /// The stream of this name, made at first use ("compute", "comm").
  Stream stream(std::string_view name);

  // Point to point. `on` runs the operation on a stream instead of the calling thread.
  void send(const Tensor& tensor, int dst, int tag = 0, Where where = Where::current());
  void recv(Tensor& tensor, int src, int tag = 0, Where where = Where::current());
  Work isend(const Tensor& tensor, int dst, int tag = 0, const Stream* on = nullptr, Where where = Where::current());
  Work irecv(Tensor& tensor, int src, int tag = 0, const Stream* on = nullptr, Where where = Where::current());
  /// Posts all of them together and blocks until all are done (MPI_Sendrecv is the case of two).
  void sendrecv(std::span<const P2POp> ops, Where where = Where::current());
  /// Posts all of them as one group; they progress together. One Work for the whole group.
  Work batch_isend_irecv(std::span<const P2POp> ops, const Stream* on = nullptr, Where where = Where::current());
  /// All of them done (MPI_Waitall).
  void wait_all(std::span<Work> works, Where where = Where::current());

  // Collectives over all ranks, blocking, in place where PyTorch's are.
  void barrier(Where where = Where::current());
  void broadcast(Tensor& tensor, int root, Where where = Where::current());
  void all_reduce(Tensor& tensor, Reduce op = Reduce::sum, Where where = Where::current());
  void all_gather(Tensor& out, const Tensor& in, Where where = Where::current());       ///< out: size() x in
  void reduce_scatter(Tensor& out, const Tensor& in, Where where = Where::current());   ///< in: size() x out
  void all_to_all(Tensor& out, const Tensor& in, Where where = Where::current());       ///< equal chunks

  /// A group of these ranks. Its members call it, each of them in the same order as the others; ranks outside do not.
  Group new_group(std::span<const int> ranks, Where where = Where::current());
  /// broadcast() among the members of a group; `root` is a rank of the world. With `on` it is enqueued and the call returns.
  void broadcast(Tensor& tensor, int root, const Group& group, const Stream* on = nullptr, Where where = Where::current());

  /// Runs `body` on `on` (default: the stream "compute"), as one span. With paced compute the lane is held for
  /// `duration` in all, the arithmetic included; with real compute `duration` is ignored and a GEMM of a stated size
  /// runs beside the body. Returns at once; order it by events or synchronize().
  void compute(const ComputeLabel& label, std::chrono::nanoseconds duration, std::function<void()> body,
               const Stream* on = nullptr, Where where = Where::current());
  /// The same with kernels (kernels.h) instead of a body, one after the other: the only computation that a GPU's stream
  /// takes. The tensors they use must live until the stream is done with them.
  void launch(const ComputeLabel& label, std::chrono::nanoseconds duration, std::vector<Kernel> kernels,
              const Stream* on = nullptr, Where where = Where::current());
  /// A host-side annotation span, closed by the returned guard.
  std::shared_ptr<void> span(std::string_view name, Kind kind = Kind::other, Where where = Where::current());
  /// Holds the calling thread, labelled as paced in the trace.
  void pause(std::chrono::nanoseconds duration, std::string_view why, Where where = Where::current());

  /// Largest standard send that completes without a receive, in bytes, measured between ranks 0 and 1 outside the
  /// timeline (all ranks call it); 0 if even one byte waits. Under nccl semantics: the knob nccl_buffer.
  std::uint64_t measure_eager_limit();

  /// From now on payloads are hashed when posted and when complete (as --hash does): a buffer that changed in between is
  /// found even if the right bytes arrived. Costs one pass over the payload each.
  void hash_payloads(bool on = true);
  /// Sends of this rank whose payload was another one at completion than when it was posted.
  int hash_mismatches() const;

  // Results of the program, as part of the trace (printed where there is no lab to read it).
  void metric(std::string_view name, double value);
  void note(std::string_view name, std::string_view text);

 private:
  friend int run(int argc, char** argv, const std::function<void(World&)>& body, Needs needs);
  [[noreturn]] void fail(const std::exception& error);
  std::unique_ptr<Runtime> runtime_;
};

/// Runs a rank program's body; an exception becomes one clear sentence on stderr and exit status 1.
int run(int argc, char** argv, const std::function<void(World&)>& body, Needs needs = {});

}  // namespace p2p
