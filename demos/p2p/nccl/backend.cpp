// The backend `nccl`: one GPU per rank, and NCCL carries the messages, on streams. MPI starts the ranks and carries NCCL's
// id; it carries no message.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

#include "demos/p2p/gpu/device.h"
#include "demos/p2p/host/mpi.h"
#include "demos/p2p/nccl/communicator.h"
#include "demos/p2p/waiting.h"

namespace p2p::nccl {
namespace {

constexpr std::size_t kWord = 64;
constexpr const char* kLaunchOrder = "NCCL_LAUNCH_ORDER_IMPLICIT";
constexpr std::uint64_t kLargest = std::uint64_t{128} << 20;  ///< bytes of a message, when it is measured what NCCL buffers
constexpr int kAllPairs = 8;  ///< up to so many ranks every pair is connected before the run, beyond only neighbours

/// A communicator whose members are `root` and `other` only knows the id that `root` made.
ncclUniqueId share_id(int from, const std::vector<int>& to, int rank) {
  constexpr int kTag = 1;
  ncclUniqueId id{};
  if (rank == from) {
    check(ncclGetUniqueId(&id), "ncclGetUniqueId");
    for (const int peer : to) {
      MPI_Request request;
      host::check(PMPI_Isend(id.internal, NCCL_UNIQUE_ID_BYTES, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, &request));
      host::wait(request);
    }
  } else {
    MPI_Request request;
    host::check(PMPI_Irecv(id.internal, NCCL_UNIQUE_ID_BYTES, MPI_BYTE, from, kTag, MPI_COMM_WORLD, &request));
    host::wait(request);
  }
  return id;
}

void wait(Communicator& communicator) {
  for (Backoff backoff; !communicator.ready(); backoff.pause()) {
  }
}

/// A message can be received only where MPI says so: the last step of a strict send, or the next size of a measurement.
void meet(int peer) {
  constexpr int kTag = 2;
  char byte = 0;
  std::array<MPI_Request, 2> requests;
  host::check(PMPI_Isend(&byte, 1, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, &requests[0]));
  host::check(PMPI_Irecv(&byte, 1, MPI_BYTE, peer, kTag, MPI_COMM_WORLD, &requests[1]));
  for (MPI_Request& request : requests) host::wait(request);
}

/// A GPU whose streams carry NCCL's messages.
class NcclGpu final : public gpu::Gpu {
 public:
  NcclGpu(const host::Member& member, bool warm_up, bool multiplies)
      : Gpu(own_gpu(member), multiplies), rank_(member.rank()), size_(member.size()), warm_up_(warm_up) {
    if (size_ > 1 && rank_ < 2) large_ = blocks()->allocate(kLargest);  // before anything runs
    std::vector<int> others;
    for (int r = 1; r < size_; ++r) others.push_back(r);
    world_ = std::make_unique<Communicator>(share_id(0, others, rank_), size_, rank_);
    nccl::wait(*world_);
    word_ = blocks()->allocate(kWord);
    control_ = stream("control");
    make_pairs();
    if (warm_up) connect();
  }
  ~NcclGpu() override {
    blocks()->release(word_);
    if (large_ != nullptr) blocks()->release(large_);
  }

  std::string description() const override {
    int version = 0;
    check(ncclGetVersion(&version), "ncclGetVersion");
    return fmt::format("{}, NCCL {}.{}.{} with {}={}", Gpu::description(), version / 10000, version % 10000 / 100, version % 100, kLaunchOrder,
                       std::getenv(kLaunchOrder));
  }
  std::string strictness() const override {
    return "NCCL_P2P_LL_THRESHOLD=0, and every send is answered by its receiver with one byte, so that it ends only when it is received";
  }
  std::unique_ptr<Pending> transfer(DeviceStream& on, std::span<const StreamTransfer> transfers, bool explicit_stream) override {
    const cudaStream_t stream = static_cast<gpu::Stream&>(on).get();
    const std::vector<StreamTransfer> list(transfers.begin(), transfers.end());
    Communicator& communicator = explicit_stream && list.size() == 1 ? pair_of(list.front()) : *world_;
    const bool is_pair = &communicator != world_.get();
    std::vector<std::function<void()>> steps;
    const char* what = list.size() > 1 ? "ncclSend and ncclRecv" : list.front().is_send ? "ncclSend" : "ncclRecv";
    steps.push_back([this, list, stream, is_pair, what, &communicator] {
      group(communicator, what, [&](ncclComm_t comm) {
        for (const StreamTransfer& one : list) post(one.is_send, one.transfer.data, one.transfer.bytes, peer_in(is_pair, one), comm, stream);
      });
    });
    // --strict: a send is over only when its receiver says so, whatever NCCL buffers.
    if (list.front().transfer.synchronous) {
      steps.push_back([this, list, stream, is_pair, &communicator] {
        group(communicator, "the answer to ncclSend", [&](ncclComm_t comm) {
          for (const StreamTransfer& one : list) post(!one.is_send, one.is_send ? word_ + 1 : word_, 1, peer_in(is_pair, one), comm, stream);
        });
      });
    }
    return std::make_unique<Steps>(communicator, std::move(steps));
  }

  std::unique_ptr<Pending> collective(DeviceStream& on, const Collective& what) override {
    const cudaStream_t stream = static_cast<gpu::Stream&>(on).get();
    const Members members = what.group == 0 ? Members{world_.get(), size_} : Members{groups_[static_cast<std::size_t>(what.group - 1)].communicator.get(),
                                                                                      groups_[static_cast<std::size_t>(what.group - 1)].ranks};
    std::vector<std::function<void()>> steps;
    steps.push_back([this, what, stream, members] {
      group(*members.communicator, name_of(what.type), [&](ncclComm_t comm) { post(what, comm, members.ranks, stream); });
    });
    return std::make_unique<Steps>(*members.communicator, std::move(steps));
  }

  /// A communicator of its own, of an id that the first rank makes: only the members take part, where ncclCommSplit would
  /// need all ranks. Like a pair's, its connections are made before the run.
  int new_group(std::span<const int> ranks) {
    const auto place = std::find(ranks.begin(), ranks.end(), rank_) - ranks.begin();
    auto communicator = std::make_unique<Communicator>(share_id(ranks.front(), {ranks.begin() + 1, ranks.end()}, rank_), static_cast<int>(ranks.size()),
                                                       static_cast<int>(place));
    nccl::wait(*communicator);
    {
      const std::lock_guard lock(groups_mutex_);
      groups_.push_back({std::move(communicator), static_cast<int>(ranks.size())});
    }
    const int name = static_cast<int>(groups_.size());
    if (warm_up_) {
      const Collective byte{.type = Collective::Type::broadcast, .out = word_ + 33, .count = 1, .dtype = DType::u8, .group = name};
      finish(*collective(*control_, byte));
      complete(*control_);
    }
    return name;
  }

  /// Largest send without a receive, by experiment on the communicator of the pair, so that the world's connections stay as
  /// they are: rank 0 sends while rank 1 does not receive. What is done all the same lies in NCCL's buffers.
  std::uint64_t measure_hidden_buffer() {
    if (size_ < 2) return 0;
    std::uint64_t passes = 0;
    if (rank_ < 2) {
      const StreamTransfer first{rank_ == 0, {large_, 1, 1 - rank_, 0, false}};
      finish(*transfer(*control_, {&first, 1}, true));  // connects the two, if that is not done
      complete(*control_);
      std::uint64_t waits = kLargest + 1;
      for (std::uint64_t bytes = 256; bytes <= kLargest && waits > kLargest; bytes *= 2) (leaves(large_, bytes) ? passes : waits) = bytes;
      while (waits <= kLargest && waits - passes > passes / 16) {
        const std::uint64_t bytes = passes + (waits - passes) / 2;
        (leaves(large_, bytes) ? passes : waits) = bytes;
      }
    }
    MPI_Request request;
    host::check(PMPI_Ibcast(&passes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request));
    host::wait(request);
    return passes;
  }

  void abort() noexcept override {
    for (auto& [key, pair] : pairs_) pair->abort();
    {
      const std::lock_guard lock(groups_mutex_);
      for (Group& group : groups_) group.communicator->abort();
    }
    if (world_ != nullptr) world_->abort();
  }

 private:
  using Key = std::pair<int, int>;  ///< sender, receiver
  struct Group {
    std::unique_ptr<Communicator> communicator;
    int ranks;
  };
  struct Members {
    Communicator* communicator;
    int ranks;
  };

  /// The steps of one operation, each once the one before is no longer in progress.
  class Steps final : public Pending {
   public:
    Steps(Communicator& communicator, std::vector<std::function<void()>> steps) : communicator_(communicator), steps_(std::move(steps)) {}
    bool test() override {
      while (communicator_.ready()) {
        if (next_ == steps_.size()) return true;
        steps_[next_++]();
      }
      return false;
    }

   private:
    Communicator& communicator_;
    std::vector<std::function<void()>> steps_;
    std::size_t next_ = 0;
  };

  /// One experiment; ranks 0 and 1 return the same answer.
  bool leaves(std::byte* buffer, std::uint64_t bytes) {
    constexpr int kTag = 3;
    const StreamTransfer message{rank_ == 0, {buffer, bytes, 1 - rank_, 0, false}};
    int left = 0;
    if (rank_ == 1) meet(0);
    finish(*transfer(*control_, {&message, 1}, true));
    if (rank_ == 0) {
      left = stands(*control_) ? 0 : 1;
      meet(1);
    }
    complete(*control_);
    MPI_Request request;
    host::check(rank_ == 0 ? PMPI_Isend(&left, 1, MPI_INT, 1, kTag, MPI_COMM_WORLD, &request)
                           : PMPI_Irecv(&left, 1, MPI_INT, 0, kTag, MPI_COMM_WORLD, &request));
    host::wait(request);
    return left != 0;
  }

  static int own_gpu(const host::Member& member) {
    const int local = member.local_rank();
    gpu::choose_gpu(local);  // says it when there is none
    int count = 0;
    gpu::check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    if (local >= count) {
      throw Error(fmt::format("NCCL takes one GPU per rank, and this machine has {}; run with --backend cuda, whose ranks may share a GPU, with "
                              "--backend host, or with fewer ranks where the program takes fewer.", count), 2);
    }
    return local;
  }

  // What a caller's own streams carry may overlap, and the operations of one communicator never do: each direction between
  // neighbours, in a ring, has a communicator of its own.
  void make_pairs() {
    for (int low = 0; low < size_; ++low) {
      const int next = (low + 1) % size_;
      for (const Key& key : {Key{low, next}, Key{next, low}}) {
        if (key.first == key.second || pairs_.count(key) != 0) continue;
        if (rank_ != key.first && rank_ != key.second) continue;
        auto communicator = std::make_unique<Communicator>(share_id(key.first, {key.second}, rank_), 2, rank_ == key.first ? 0 : 1);
        nccl::wait(*communicator);
        pairs_.emplace(key, std::move(communicator));
      }
    }
  }
  Communicator& pair_of(const StreamTransfer& one) {
    const Key key = one.is_send ? Key{rank_, one.transfer.peer} : Key{one.transfer.peer, rank_};
    const auto it = pairs_.find(key);
    return it == pairs_.end() ? *world_ : *it->second;
  }
  static int peer_in(bool is_pair, const StreamTransfer& one) { return !is_pair ? one.transfer.peer : one.is_send ? 1 : 0; }

  /// The first use of a pair makes both hosts wait; here, before the run, all of them in one group.
  void connect() {
    std::vector<StreamTransfer> all;
    for (int r = 0; r < size_; ++r) {
      const int distance = std::abs(r - rank_);
      if (r == rank_ || (size_ > kAllPairs && distance != 1 && distance != size_ - 1)) continue;
      all.push_back({true, {word_, 1, r, 0, false}});
      all.push_back({false, {word_ + 2 + r % 32, 1, r, 0, false}});
    }
    if (!all.empty()) finish(*transfer(*control_, all, false));
    for (const bool forth : {true, false}) connect_pairs(forth);
    // So do the collectives' connections (since NCCL 2.22 they are made at the first use, too).
    finish(*collective(*control_, {}));
    complete(*control_);
  }

  /// One byte over the communicator of each pair, all of them in one group: from its first member to its second, or back.
  void connect_pairs(bool forth) {
    OpenGroup all;
    for (auto& [key, pair] : pairs_) {
      const bool is_first = key.first == rank_, is_send = is_first == forth;
      group(*pair, is_send ? "ncclSend" : "ncclRecv", [&](ncclComm_t comm) {
        post(is_send, is_send ? word_ : word_ + 1, 1, is_first ? 1 : 0, comm, static_cast<gpu::Stream&>(*control_).get());
      });
    }
    all.close();
    for (auto& [key, pair] : pairs_) nccl::wait(*pair);
  }

  static void post(bool is_send, std::byte* data, std::size_t bytes, int peer, ncclComm_t comm, cudaStream_t stream) {
    if (is_send) {
      check(ncclSend(data, bytes, ncclUint8, peer, comm, stream), "ncclSend", comm);
    } else {
      check(ncclRecv(data, bytes, ncclUint8, peer, comm, stream), "ncclRecv", comm);
    }
  }
  static const char* name_of(Collective::Type type) {
    switch (type) {
      case Collective::Type::broadcast: return "ncclBroadcast";
      case Collective::Type::all_gather: return "ncclAllGather";
      case Collective::Type::reduce_scatter: return "ncclReduceScatter";
      case Collective::Type::all_to_all: return "ncclSend and ncclRecv";
      case Collective::Type::barrier:
      case Collective::Type::all_reduce: break;
    }
    return "ncclAllReduce";
  }
  void post(const Collective& what, ncclComm_t comm, int ranks, cudaStream_t stream) {
    const ncclDataType_t type = what.dtype == DType::f32 ? ncclFloat : ncclUint8;
    const ncclRedOp_t op = what.reduce == Reduce::sum ? ncclSum : ncclMax;
    const std::byte* in = what.in == nullptr ? what.out : what.in;
    switch (what.type) {
      case Collective::Type::barrier:
        check(ncclAllReduce(word_ + 32, word_ + 32, 1, ncclUint8, ncclMax, comm, stream), "ncclAllReduce", comm);
        break;
      case Collective::Type::broadcast:
        check(ncclBroadcast(in, what.out, what.count, type, what.root, comm, stream), "ncclBroadcast", comm);
        break;
      case Collective::Type::all_reduce: check(ncclAllReduce(in, what.out, what.count, type, op, comm, stream), "ncclAllReduce", comm); break;
      case Collective::Type::all_gather: check(ncclAllGather(in, what.out, what.count, type, comm, stream), "ncclAllGather", comm); break;
      case Collective::Type::reduce_scatter:
        check(ncclReduceScatter(in, what.out, what.count, type, op, comm, stream), "ncclReduceScatter", comm);
        break;
      case Collective::Type::all_to_all: {
        const std::size_t bytes = what.count * (what.dtype == DType::f32 ? sizeof(float) : 1);
        for (int r = 0; r < ranks; ++r) {
          const std::size_t at = static_cast<std::size_t>(r) * bytes;
          check(ncclSend(in + at, bytes, ncclUint8, r, comm, stream), "ncclSend", comm);
          check(ncclRecv(what.out + at, bytes, ncclUint8, r, comm, stream), "ncclRecv", comm);
        }
        break;
      }
    }
  }

  static void finish(Pending& pending) {
    for (Backoff backoff; !pending.test(); backoff.pause()) {
    }
  }
  static void complete(DeviceStream& stream) {
    const auto event = stream.record();
    for (Backoff backoff; !event->query(); backoff.pause()) {
    }
  }
  /// True if what is on the stream is not done after 20 ms.
  static bool stands(DeviceStream& stream) {
    constexpr std::int64_t kPatienceNs = 20'000'000;
    const auto event = stream.record();
    const std::int64_t begin = p2plab::trace::monotonic_ns();
    for (Backoff backoff; !event->query(); backoff.pause()) {
      if (p2plab::trace::monotonic_ns() - begin > kPatienceNs) return true;
    }
    return false;
  }

  const int rank_, size_;
  const bool warm_up_;
  std::unique_ptr<Communicator> world_;
  std::map<Key, std::unique_ptr<Communicator>> pairs_;
  std::mutex groups_mutex_;    ///< who aborts is another thread than who adds
  std::vector<Group> groups_;  ///< Collective::group counts them from 1
  std::byte* large_ = nullptr;  ///< kLargest bytes on the two ranks that measure
  std::byte* word_ = nullptr;  ///< kWord bytes for messages whose content does not matter
  std::shared_ptr<DeviceStream> control_;
};

class Nccl final : public Backend {
 public:
  Nccl(bool warm_up, bool multiplies) : gpu_(member_, warm_up, multiplies) {}
  int rank() const override { return member_.rank(); }
  int size() const override { return member_.size(); }
  std::string library() const override { return host::library(); }
  bool streams_only() const override { return true; }
  Device* device() override { return &gpu_; }
  std::uint64_t measure_eager_limit() override { return gpu_.measure_hidden_buffer(); }
  int new_group(std::span<const int> ranks) override { return gpu_.new_group(ranks); }

  std::unique_ptr<Pending> send(const Transfer&) override { throw BackendError("NCCL sends on streams only"); }
  std::unique_ptr<Pending> receive(const Transfer&) override { throw BackendError("NCCL receives on streams only"); }
  std::unique_ptr<Pending> collective(const Collective&) override { throw BackendError("NCCL's collectives run on streams only"); }

 private:
  host::Member member_;
  NcclGpu gpu_;
};

// The knob warm_up: off leaves the first message between two ranks to connect them, which makes both hosts wait.
bool warm_up(const Options& options) {
  const auto it = options.knobs.find("warm_up");
  return it == options.knobs.end() || it->second != "off";
}

// What fails here has no caller above that knows the backend's errors.
Backend* make(const Options& options) {
  // Read once, when the first communicator is made: no message travels inside the flags of the LL protocol.
  if (options.strict) ::setenv("NCCL_P2P_LL_THRESHOLD", "0", 1);
  // Each direction of a pair has a communicator of its own, and NCCL asks for one order of launches over all of a GPU's: with
  // this it takes the host's (NCCL 2.26; user guide, "Using multiple NCCL communicators concurrently").
  ::setenv(kLaunchOrder, "1", 0);
  try {
    return new Nccl(warm_up(options), options.multiplies);
  } catch (const BackendError& error) {
    throw Error(fmt::format("The backend 'nccl' cannot start: {}.", error.what()));
  }
}

}  // namespace
}  // namespace p2p::nccl

p2p::Backend* p2plab_make_backend(const p2p::Options& options) { return p2p::nccl::make(options); }
