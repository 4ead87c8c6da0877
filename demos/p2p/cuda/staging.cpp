// The pieces of a message on their way.
#include "demos/p2p/cuda/staging.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace p2p::cuda {
namespace {

constexpr std::size_t kPiece = 128 * 1024;  ///< above MPICH's eager limit, so that a piece waits for its receiver
constexpr std::size_t kBuffers = 2;         ///< of each message: one on the bus, one on the network

}  // namespace

class StagedMessage {
 public:
  StagedMessage(Staging& owner, bool is_send, const Transfer& transfer)
      : owner_(owner), is_send_(is_send), transfer_(transfer), pieces_(std::max<std::size_t>(1, (transfer.bytes + kPiece - 1) / kPiece)) {}

  bool done() const { return finished_ == pieces_; }
  const Transfer& transfer() const { return transfer_; }
  bool is_send() const { return is_send_; }
  std::exception_ptr error;
  std::atomic<bool> over{false};  ///< done or failed; whoever waits reads nothing else before

  /// `first`: it may post. True once it has posted all its pieces.
  bool move(bool first) { return is_send_ ? move_out(first) : move_in(first); }
  void release() {
    for (Buffer& buffer : buffers_) {
      if (buffer.memory != nullptr) owner_.memory_->release_pinned(buffer.memory);
    }
  }

 private:
  struct Buffer {
    std::byte* memory = nullptr;
    std::unique_ptr<gpu::Recorded> copied;
    std::unique_ptr<host::Request> request;
  };
  Buffer& buffer(std::size_t piece) {
    Buffer& out = buffers_[piece % kBuffers];
    if (out.memory == nullptr) out.memory = owner_.memory_->allocate_pinned(std::min(kPiece, std::max<std::size_t>(transfer_.bytes, 1)));
    return out;
  }
  std::size_t bytes(std::size_t piece) const { return std::min(kPiece, transfer_.bytes - piece * kPiece); }
  Transfer part(std::size_t piece) {
    Transfer out = transfer_;
    out.data = buffer(piece).memory;
    out.bytes = bytes(piece);
    return out;
  }
  void copy(std::size_t piece) {
    std::byte* on_gpu = transfer_.data + piece * kPiece;
    std::byte* on_host = buffer(piece).memory;
    CopyStream& stream = is_send_ ? owner_.to_host_ : owner_.to_gpu_;
    stream.copy(is_send_ ? on_host : on_gpu, is_send_ ? on_gpu : on_host, bytes(piece), transfer_.peer);
    buffer(piece).copied = std::make_unique<gpu::Recorded>(owner_.events_, stream.get());
  }

  bool move_out(bool first) {
    for (; copied_ < pieces_ && copied_ < finished_ + kBuffers; ++copied_) copy(copied_);
    for (; first && posted_ < copied_ && buffer(posted_).copied->query(); ++posted_) {
      buffer(posted_).request = host::start_send(part(posted_));
    }
    for (; finished_ < posted_ && buffer(finished_).request->test(); ++finished_) {
    }
    return posted_ == pieces_;
  }
  bool move_in(bool first) {
    for (; first && posted_ < pieces_ && posted_ < finished_ + kBuffers; ++posted_) {
      buffer(posted_).request = host::start_receive(part(posted_));
    }
    for (; copied_ < posted_ && buffer(copied_).request->test(); ++copied_) copy(copied_);
    for (; finished_ < copied_ && buffer(finished_).copied->query(); ++finished_) {
    }
    return posted_ == pieces_;
  }

  Staging& owner_;
  const bool is_send_;
  const Transfer transfer_;
  const std::size_t pieces_;
  std::size_t copied_ = 0, posted_ = 0, finished_ = 0;  ///< pieces that have begun to; sends copy, post, finish; receives post, copy, finish
  std::array<Buffer, kBuffers> buffers_;
};

namespace {

class StagedPending final : public Pending {
 public:
  StagedPending(Staging& owner, std::shared_ptr<StagedMessage> message) : owner_(owner), message_(std::move(message)) {}
  bool test() override {
    owner_.progress();
    if (!message_->over.load(std::memory_order_acquire)) return false;
    if (message_->error) std::rethrow_exception(message_->error);
    return true;
  }

 private:
  Staging& owner_;
  std::shared_ptr<StagedMessage> message_;
};

}  // namespace

Staging::Staging(gpu::Gpu& gpu, std::shared_ptr<const Heard> heard)
    : memory_(gpu.blocks()), events_(std::make_shared<gpu::EventPool>(cudaEventDisableTiming)), to_host_("copy to host", gpu, heard),
      to_gpu_("copy to GPU", gpu, heard) {}

Staging::~Staging() = default;

std::unique_ptr<Pending> Staging::post(bool is_send, const Transfer& transfer) {
  auto message = std::make_shared<StagedMessage>(*this, is_send, transfer);
  {
    const std::lock_guard lock(mutex_);
    messages_.push_back(message);
    order_[{is_send, transfer.peer, transfer.tag}].push_back(message.get());
  }
  progress();
  return std::make_unique<StagedPending>(*this, std::move(message));
}

bool Staging::progress() {
  const std::lock_guard lock(mutex_);
  for (auto it = messages_.begin(); it != messages_.end();) {
    const std::shared_ptr<StagedMessage> kept = *it;
    StagedMessage& message = *kept;
    auto& order = order_[{message.is_send(), message.transfer().peer, message.transfer().tag}];
    const bool first = !order.empty() && order.front() == &message;
    try {
      if (message.move(first) && first) order.pop_front();
    } catch (const BackendError&) {
      message.error = std::current_exception();
      message.over.store(true, std::memory_order_release);
      std::erase(order, &message);
      it = messages_.erase(it);
      continue;
    }
    if (message.done()) {
      message.release();
      message.over.store(true, std::memory_order_release);
      it = messages_.erase(it);
    } else {
      ++it;
    }
  }
  return !messages_.empty();
}

namespace {

class StagedCollective final : public Pending {
 public:
  StagedCollective(const Collective& what, Members members, std::shared_ptr<gpu::Memory> memory, std::shared_ptr<gpu::EventPool> events,
                   CopyStream& copies)
      : what_(what), comm_(members.comm), memory_(std::move(memory)), events_(std::move(events)), copies_(copies) {
    using Type = Collective::Type;
    const std::size_t part = what.count * (what.dtype == DType::f32 ? sizeof(float) : 1), whole = part * static_cast<std::size_t>(members.ranks);
    const bool wide_in = what.type == Type::reduce_scatter || what.type == Type::all_to_all;
    const bool wide_out = what.type == Type::all_gather || what.type == Type::all_to_all;
    in_bytes_ = what.in == nullptr ? 0 : wide_in ? whole : part;
    out_bytes_ = what.type == Type::barrier ? 0 : wide_out ? whole : part;
    Collective staged = what;
    if (in_bytes_ > 0) staged.in = in_ = memory_->allocate_pinned(in_bytes_);
    if (out_bytes_ > 0) staged.out = out_ = memory_->allocate_pinned(out_bytes_);
    staged_ = staged;
    // In place, or the root of a broadcast: what lies in the output goes in.
    if (in_bytes_ > 0) copy(in_, what.in, in_bytes_);
    if (in_bytes_ == 0 && (what.type != Type::broadcast || is_root())) copy(out_, what.out, out_bytes_);
    copied_ = std::make_unique<gpu::Recorded>(events_, copies_.get());
  }
  bool test() override {
    if (request_ == nullptr) {
      if (!copied_->query()) return false;
      request_ = host::start_collective(staged_, comm_);
    }
    if (!back_) {
      if (!request_->test()) return false;
      if (what_.type != Collective::Type::broadcast || !is_root()) copy(what_.out, out_, out_bytes_);
      back_ = std::make_unique<gpu::Recorded>(events_, copies_.get());
    }
    if (!back_->query()) return false;
    if (in_ != nullptr) memory_->release_pinned(in_);
    if (out_ != nullptr) memory_->release_pinned(out_);
    return true;
  }

 private:
  bool is_root() const {
    int rank = 0;
    host::check(PMPI_Comm_rank(comm_, &rank));
    return rank == what_.root;
  }
  void copy(void* to, const void* from, std::size_t bytes) { copies_.copy(to, from, bytes, -1); }
  Collective what_, staged_;
  MPI_Comm comm_;
  std::shared_ptr<gpu::Memory> memory_;
  std::shared_ptr<gpu::EventPool> events_;
  CopyStream& copies_;
  std::size_t in_bytes_ = 0, out_bytes_ = 0;
  std::byte* in_ = nullptr;
  std::byte* out_ = nullptr;
  std::unique_ptr<gpu::Recorded> copied_, back_;
  std::unique_ptr<host::Request> request_;
};

}  // namespace

std::unique_ptr<Pending> staged_collective(const Collective& what, Members members, const std::shared_ptr<gpu::Memory>& memory,
                                           const std::shared_ptr<gpu::EventPool>& events, CopyStream& copies) {
  return std::make_unique<StagedCollective>(what, members, memory, events, copies);
}

}  // namespace p2p::cuda
