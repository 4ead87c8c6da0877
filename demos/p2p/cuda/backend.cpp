// The backend `cuda`: streams, events, kernels and memory are a GPU's, and MPI carries the messages. Ranks may share a GPU;
// between them a long message is copied from one's memory to the other's.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "demos/p2p/cuda/direct.h"
#include "demos/p2p/cuda/staging.h"
#include "demos/p2p/gpu/device.h"

namespace p2p::cuda {
namespace {

/// Nothing left to do by the host.
class Enqueued final : public Pending {
 public:
  bool test() override { return true; }
};

/// A GPU whose streams wait for MPI: a kernel looks at a word of pinned memory, which the host sets when the message is
/// complete.
class StagingGpu final : public gpu::Gpu {
 public:
  StagingGpu(int local_rank, int rank, int ranks, const Options& options)
      : Gpu(local_rank, options.multiplies), in_order_(options.nccl_semantics), groups_{{MPI_COMM_WORLD, ranks}}, heard_(std::make_shared<Heard>()), direct_(*this, heard_, rank, ranks),
        staging_(*this, heard_), events_(std::make_shared<gpu::EventPool>(cudaEventDisableTiming)), collectives_("copy for all", *this, heard_) {}

  std::unique_ptr<Pending> transfer(DeviceStream& stream, std::span<const StreamTransfer> transfers, bool) override {
    // What an event of this stream can hold back is announced at once; the rest begins when the stream has come there.
    std::vector<std::unique_ptr<Pending>> announced;
    std::vector<StreamTransfer> later;
    std::set<Pair> pairs;
    for (const StreamTransfer& one : transfers) {
      if (one.is_send && direct_.takes(one.transfer) && direct_.shares_events(one.transfer.peer)) {
        announced.push_back(direct_.send(one.transfer, static_cast<gpu::Stream&>(stream).get()));
      } else {
        later.push_back(one);
        if (in_order_) pairs.emplace(one.is_send, one.transfer.peer);
      }
    }
    add(stream, [this, later = std::move(later)] {
      std::vector<std::unique_ptr<Pending>> out;
      for (const StreamTransfer& one : later) out.push_back(one.is_send ? send(one.transfer) : receive(one.transfer));
      return out;
    }, std::move(announced), std::move(pairs));
    return std::make_unique<Enqueued>();
  }
  std::unique_ptr<Pending> collective(DeviceStream& stream, const Collective& what) override {
    add(stream, [this, what] {
      std::vector<std::unique_ptr<Pending>> out;
      out.push_back(start(what));
      return out;
    });
    return std::make_unique<Enqueued>();
  }
  std::unique_ptr<Pending> send(const Transfer& transfer) { return direct_.takes(transfer) ? direct_.send(transfer) : staging_.send(transfer); }
  std::unique_ptr<Pending> receive(const Transfer& transfer) {
    return direct_.takes(transfer) ? direct_.receive(transfer) : staging_.receive(transfer);
  }
  std::unique_ptr<Pending> start(const Collective& what) {
    return staged_collective(what, groups_[static_cast<std::size_t>(what.group)], blocks(), events_, collectives_);
  }
  int new_group(std::span<const int> ranks) {
    const MPI_Comm comm = host::new_group(ranks);
    const std::lock_guard lock(mutex_);  // another thread starts the streams' collectives
    groups_.push_back({comm, static_cast<int>(ranks.size())});
    return static_cast<int>(groups_.size()) - 1;
  }
  int ranks_on_gpu() const override { return direct_.ranks_on_gpu(); }
  void tell_copies(std::function<void(CarriedCopy)> heard) override { *heard_ = std::move(heard); }

  bool tend() override {
    Gpu::tend();
    const bool staged = staging_.progress(), direct = direct_.progress();
    const bool busy = staged || direct;
    const std::lock_guard lock(mutex_);
    std::set<Pair> not_begun;  // what is behind one of these waits, whatever its stream
    for (auto it = tasks_.begin(); it != tasks_.end();) {
      Task& task = *it;
      const bool behind = std::any_of(task.pairs.begin(), task.pairs.end(), [&](const Pair& pair) { return not_begun.contains(pair); });
      if (!task.started && !behind && task.reached->query()) {
        task.started = true;
        for (auto& pending : task.start()) task.pending.push_back(std::move(pending));
      }
      if (!task.started) not_begun.insert(task.pairs.begin(), task.pairs.end());
      std::erase_if(task.pending, [](const auto& pending) { return pending->test(); });
      if (task.started && task.pending.empty()) {
        __atomic_store_n(task.flag, task.value, __ATOMIC_RELEASE);
        it = tasks_.erase(it);
      } else {
        ++it;
      }
    }
    return busy || !tasks_.empty();
  }

 private:
  using Pair = std::pair<bool, int>;  ///< send, peer
  /// What the host does for a stream once the stream has come there.
  struct Task {
    std::unique_ptr<gpu::Recorded> reached;
    std::function<std::vector<std::unique_ptr<Pending>>()> start;
    bool started = false;
    std::vector<std::unique_ptr<Pending>> pending;
    unsigned* flag;
    unsigned value;
    std::set<Pair> pairs;  ///< of its messages, where these are first in, first out
  };
  struct Flag {
    unsigned* word = nullptr;
    unsigned last = 0;
  };

  void add(DeviceStream& stream, std::function<std::vector<std::unique_ptr<Pending>>()> start, std::vector<std::unique_ptr<Pending>> pending = {},
           std::set<Pair> pairs = {}) {
    const std::lock_guard order(enqueueing_);
    Flag& flag = flags_[&stream];
    if (flag.word == nullptr) {
      flag.word = reinterpret_cast<unsigned*>(blocks()->allocate_pinned(sizeof(unsigned)));
      __atomic_store_n(flag.word, 0U, __ATOMIC_RELEASE);
    }
    ++flag.last;
    const cudaStream_t on = static_cast<gpu::Stream&>(stream).get();
    Task task{std::make_unique<gpu::Recorded>(events_, on), std::move(start), false, std::move(pending), flag.word, flag.last, std::move(pairs)};
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    stream.launch({kernels::WaitFlag{flag.word, flag.last}});
  }

  const bool in_order_;  ///< NCCL's rules: the messages of an ordered pair begin in the order in which they were enqueued
  std::vector<Members> groups_;  ///< by Collective::group
  std::shared_ptr<Heard> heard_;
  Direct direct_;
  Staging staging_;
  std::shared_ptr<gpu::EventPool> events_;
  CopyStream collectives_;
  std::mutex mutex_;  ///< never held over a call that waits where a stream is full: only tend() makes room there
  std::list<Task> tasks_;
  std::mutex enqueueing_;  ///< tasks stand in the order in which their streams come to them; taken before mutex_
  std::map<const DeviceStream*, Flag> flags_;
};

class Cuda final : public Backend {
 public:
  explicit Cuda(const Options& options) : gpu_(member_.local_rank(), member_.rank(), member_.size(), options) {}
  int rank() const override { return member_.rank(); }
  int size() const override { return member_.size(); }
  std::string library() const override { return host::library(); }
  std::unique_ptr<Pending> send(const Transfer& transfer) override { return gpu_.send(transfer); }
  std::unique_ptr<Pending> receive(const Transfer& transfer) override { return gpu_.receive(transfer); }
  std::unique_ptr<Pending> collective(const Collective& what) override { return gpu_.start(what); }
  int new_group(std::span<const int> ranks) override { return gpu_.new_group(ranks); }
  /// A piece waits for its receiver beyond MPI's own limit, and no message is shorter than a piece without being one.
  std::uint64_t measure_eager_limit() override { return host::measure_eager_limit(rank(), size()); }
  Device* device() override { return &gpu_; }

 private:
  host::Member member_;
  StagingGpu gpu_;
};

// What fails here has no caller above that knows the backend's errors.
Backend* make(const Options& options) {
  try {
    return new Cuda(options);
  } catch (const BackendError& error) {
    throw Error(fmt::format("The backend 'cuda' cannot start: {}.", error.what()));
  }
}

}  // namespace
}  // namespace p2p::cuda

p2p::Backend* p2plab_make_backend(const p2p::Options& options) { return p2p::cuda::make(options); }
