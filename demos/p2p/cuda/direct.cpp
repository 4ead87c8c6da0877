// CUDA IPC: handles over MPI, copies on a stream of its own.
#include "demos/p2p/cuda/direct.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>

namespace p2p::cuda {
namespace {

/// Where a rank is, as the others see it, and what they may try: that a handle can be made does not say that it can be opened.
struct Place {
  char host[64];
  char gpu[32];  ///< PCI bus id
  bool has_memory, has_event;
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
  bool is_of(const Place& other) const { return std::strcmp(gpu, other.gpu) == 0 && std::strcmp(host, other.host) == 0; }
};

/// What of another rank's could be opened.
struct Opened {
  bool memory, event;
};

/// Where a message lies.
struct Header {
  cudaIpcMemHandle_t handle;
  std::size_t offset;
  bool has_ready, has_copied;
  cudaIpcEventHandle_t ready;   ///< the stream of the sender has come to the message
  cudaIpcEventHandle_t copied;  ///< for the receiver to record; the sender's own
};

Place own_place(std::byte* block, cudaEvent_t event, int device) {
  Place place{};
  ::gethostname(place.host, sizeof place.host - 1);
  gpu::check(cudaDeviceGetPCIBusId(place.gpu, sizeof place.gpu, device), "cudaDeviceGetPCIBusId");
  place.has_memory = cudaIpcGetMemHandle(&place.memory, block) == cudaSuccess;
  place.has_event = event != nullptr && cudaIpcGetEventHandle(&place.event, event) == cudaSuccess;
  cudaGetLastError();
  return place;
}

Opened open_of(const Place& place) {
  Opened out{};
  void* memory = nullptr;
  out.memory = place.has_memory && cudaIpcOpenMemHandle(&memory, place.memory, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess;
  if (out.memory) gpu::tidy(cudaIpcCloseMemHandle(memory), "cudaIpcCloseMemHandle");
  cudaEvent_t event = nullptr;
  out.event = out.memory && place.has_event && cudaIpcOpenEventHandle(&event, place.event) == cudaSuccess;
  const gpu::EventHandle closed(event);
  cudaGetLastError();
  return out;
}

std::unique_ptr<host::Request> post(bool is_send, void* data, std::size_t bytes, int peer, int tag, MPI_Comm comm) {
  auto request = std::make_unique<host::Request>();
  const auto count = static_cast<int>(bytes);
  host::check(is_send ? PMPI_Isend(data, count, MPI_BYTE, peer, tag, comm, &request->request)
                      : PMPI_Irecv(data, count, MPI_BYTE, peer, tag, comm, &request->request));
  return request;
}

}  // namespace

/// One message on its way. The list and its handle both keep it: MPI may write into it until it is over.
class DirectMessage {
 public:
  explicit DirectMessage(const Transfer& transfer) : transfer_(transfer) {}
  virtual ~DirectMessage() = default;
  DirectMessage(const DirectMessage&) = delete;
  DirectMessage& operator=(const DirectMessage&) = delete;
  /// `first`: no earlier receive of this peer and tag has still to answer. True once it is over.
  virtual bool move(bool first) = 0;
  /// A later receive of its peer and tag must not answer yet: answers are told apart by their order alone.
  virtual bool has_to_answer() const { return false; }
  std::pair<int, int> key() const { return {transfer_.peer, transfer_.tag}; }

  std::exception_ptr error;
  std::atomic<bool> over{false};  ///< done or failed; whoever waits reads nothing else before

 protected:
  const Transfer transfer_;
};

namespace {

/// The answer says that the copy is done or, where events are shared, that it is enqueued and `copied` stands behind it.
class DirectSend final : public DirectMessage {
 public:
  DirectSend(const Header& header, const Transfer& t, MPI_Comm headers, MPI_Comm answers, std::shared_ptr<gpu::EventPool> pool, gpu::EventHandle ready,
             gpu::EventHandle copied)
      : DirectMessage(t), header_(header), pool_(std::move(pool)), ready_(std::move(ready)), copied_(std::move(copied)),
        sent_(post(true, &header_, sizeof header_, t.peer, t.tag, headers)), answered_(post(false, &answer_, 1, t.peer, t.tag, answers)) {}
  bool move(bool) override {
    if (sent_ != nullptr && sent_->test()) sent_.reset();
    if (answered_ != nullptr && answered_->test()) answered_.reset();
    if (sent_ != nullptr || answered_ != nullptr) return false;
    if (copied_ != nullptr && !gpu::query(copied_.get())) return false;
    for (gpu::EventHandle* event : {&ready_, &copied_}) {  // nobody looks at them any more
      if (*event != nullptr) pool_->give_back(std::move(*event));
    }
    return true;
  }

 private:
  Header header_;
  std::shared_ptr<gpu::EventPool> pool_;
  gpu::EventHandle ready_, copied_;
  char answer_ = 0;
  std::unique_ptr<host::Request> sent_, answered_;
};

class DirectPending final : public Pending {
 public:
  DirectPending(Direct& owner, std::shared_ptr<DirectMessage> message) : owner_(owner), message_(std::move(message)) {}
  bool test() override {
    if (!message_->over.load(std::memory_order_acquire)) owner_.progress();  // of all: the peer may wait for another one
    if (!message_->over.load(std::memory_order_acquire)) return false;
    if (message_->error) std::rethrow_exception(message_->error);
    return true;
  }

 private:
  Direct& owner_;
  std::shared_ptr<DirectMessage> message_;
};

}  // namespace

class DirectReceive final : public DirectMessage {
 public:
  DirectReceive(Direct& owner, const Transfer& t)
      : DirectMessage(t), owner_(owner), came_(post(false, &header_, sizeof header_, t.peer, t.tag, owner.headers_)) {}
  bool move(bool first) override {
    if (copied_ == nullptr) {
      if (!came_->test()) return false;
      copy();
    }
    if (answer_ == nullptr) {
      if (!first || (!header_.has_copied && !copied_->query())) return false;
      answer_ = post(true, &byte_, 1, transfer_.peer, transfer_.tag, owner_.answers_);
    }
    answered_ = answered_ || answer_->test();
    if (!answered_ || !copied_->query()) return false;
    stream_->tell(std::move(carried_));
    owner_.streams_.push_back(std::move(stream_));
    return true;
  }
  bool has_to_answer() const override { return answer_ == nullptr; }

 private:
  void copy() {
    const std::byte* from = owner_.open(transfer_.peer, header_.handle) + header_.offset;
    if (stream_ == nullptr) stream_ = owner_.take_stream();
    if (header_.has_ready) gpu::check(cudaStreamWaitEvent(stream_->get(), owner_.open(transfer_.peer, header_.ready), 0), "cudaStreamWaitEvent");
    carried_ = stream_->enqueue(transfer_.data, from, transfer_.bytes, transfer_.peer);
    if (header_.has_copied) gpu::check(cudaEventRecord(owner_.open(transfer_.peer, header_.copied), stream_->get()), "cudaEventRecord");
    copied_ = std::make_unique<gpu::Recorded>(owner_.events_, stream_->get());
  }

  Direct& owner_;
  Header header_{};
  char byte_ = 0;
  bool answered_ = false;
  std::unique_ptr<CopyStream> stream_;
  CarriedCopy carried_;
  std::unique_ptr<host::Request> came_, answer_;
  std::unique_ptr<gpu::Recorded> copied_;
};

Direct::Direct(gpu::Gpu& gpu, std::shared_ptr<const Heard> heard, int rank, int ranks)
    : gpu_(gpu), heard_(std::move(heard)), events_(std::make_shared<gpu::EventPool>(cudaEventDisableTiming)),
      shared_events_(std::make_shared<gpu::EventPool>(cudaEventInterprocess | cudaEventDisableTiming)),
      reachable_(static_cast<std::size_t>(ranks)), shares_events_(static_cast<std::size_t>(ranks)) {
  std::vector<std::unique_ptr<CopyStream>> made;  // there before the run begins
  for (int i = 0; i < 4; ++i) made.push_back(take_stream());
  for (; !made.empty(); made.pop_back()) streams_.push_back(std::move(made.back()));  // the first of them is used first
  MPI_Request request;
  for (MPI_Comm* comm : {&headers_, &answers_}) {
    host::check(PMPI_Comm_idup(MPI_COMM_WORLD, comm, &request));
    host::wait(request);
  }
  std::byte* block = gpu_.blocks()->allocate(kSmallest);
  gpu::EventHandle event;
  try {
    event = shared_events_->take();
  } catch (const BackendError&) {  // no such events here: the host orders the copies
  }
  const Place own = own_place(block, event.get(), gpu_.number());
  std::vector<Place> places(static_cast<std::size_t>(ranks));
  host::check(PMPI_Iallgather(&own, sizeof own, MPI_BYTE, places.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD, &request));
  host::wait(request);
  ranks_on_gpu_ = static_cast<int>(std::count_if(places.begin(), places.end(), [&](const Place& place) { return place.is_of(own); }));
  // Both ends have to answer alike, so they tell each other; then nobody tries any more.
  std::vector<Opened> mine(places.size()), theirs(places.size());
  for (std::size_t r = 0; r < places.size(); ++r) {
    if (static_cast<int>(r) != rank && places[r].is_of(own)) mine[r] = open_of(places[r]);
  }
  host::check(PMPI_Ialltoall(mine.data(), sizeof(Opened), MPI_BYTE, theirs.data(), sizeof(Opened), MPI_BYTE, MPI_COMM_WORLD, &request));
  host::wait(request);
  for (std::size_t r = 0; r < places.size(); ++r) {
    reachable_[r] = mine[r].memory && theirs[r].memory;
    shares_events_[r] = reachable_[r] && mine[r].event && theirs[r].event;
  }
  gpu_.blocks()->release(block);
  if (event != nullptr) shared_events_->give_back(std::move(event));
}

Direct::~Direct() {
  for (const auto& [key, memory] : opened_) gpu::tidy(cudaIpcCloseMemHandle(memory), "cudaIpcCloseMemHandle");
  opened_events_.clear();
  if (std::uncaught_exceptions() > 0) return;
  // Whoever opened memory of this rank has closed it, too, before this rank frees it.
  MPI_Request request;
  if (PMPI_Ibarrier(headers_, &request) == MPI_SUCCESS) host::wait(request);
  PMPI_Comm_free(&headers_);
  PMPI_Comm_free(&answers_);
}

std::unique_ptr<CopyStream> Direct::take_stream() {
  if (streams_.empty()) {
    ++streams_made_;  // a lane of its own, for copies may overlap
    return std::make_unique<CopyStream>(streams_made_ == 1 ? "direct copy" : "direct copy " + std::to_string(streams_made_), gpu_, heard_);
  }
  std::unique_ptr<CopyStream> stream = std::move(streams_.back());
  streams_.pop_back();
  return stream;
}

std::byte* Direct::open(int peer, const cudaIpcMemHandle_t& handle) {
  std::byte*& memory = opened_[{peer, std::string(handle.reserved, sizeof handle.reserved)}];
  if (memory == nullptr) {
    void* opened = nullptr;
    gpu::check(cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess), "cudaIpcOpenMemHandle");
    memory = static_cast<std::byte*>(opened);
  }
  return memory;
}

cudaEvent_t Direct::open(int peer, const cudaIpcEventHandle_t& handle) {
  gpu::EventHandle& event = opened_events_[{peer, std::string(handle.reserved, sizeof handle.reserved)}];
  if (event == nullptr) {
    cudaEvent_t opened = nullptr;
    gpu::check(cudaIpcOpenEventHandle(&opened, handle), "cudaIpcOpenEventHandle");
    event.reset(opened);
  }
  return event.get();
}

std::unique_ptr<Pending> Direct::send(const Transfer& transfer, cudaStream_t behind) {
  Header header{};
  std::byte* block = gpu_.blocks()->block_of(transfer.data);
  gpu::check(cudaIpcGetMemHandle(&header.handle, block), "cudaIpcGetMemHandle");
  header.offset = static_cast<std::size_t>(transfer.data - block);
  gpu::EventHandle ready, copied;
  if (shares_events(transfer.peer)) {
    copied = shared_events_->take();
    gpu::check(cudaIpcGetEventHandle(&header.copied, copied.get()), "cudaIpcGetEventHandle");
    header.has_copied = true;
    if (behind != nullptr) {
      ready = shared_events_->take();
      gpu::check(cudaEventRecord(ready.get(), behind), "cudaEventRecord");
      gpu::check(cudaIpcGetEventHandle(&header.ready, ready.get()), "cudaIpcGetEventHandle");
      header.has_ready = true;
    }
  }
  return post(std::make_shared<DirectSend>(header, transfer, headers_, answers_, shared_events_, std::move(ready), std::move(copied)));
}

std::unique_ptr<Pending> Direct::receive(const Transfer& transfer) { return post(std::make_shared<DirectReceive>(*this, transfer)); }

std::unique_ptr<Pending> Direct::post(std::shared_ptr<DirectMessage> message) {
  {
    const std::lock_guard lock(mutex_);
    messages_.push_back(message);
  }
  progress();
  return std::make_unique<DirectPending>(*this, std::move(message));
}

bool Direct::progress() {
  const std::lock_guard lock(mutex_);
  std::set<std::pair<int, int>> to_answer;
  for (auto it = messages_.begin(); it != messages_.end();) {
    const std::shared_ptr<DirectMessage> kept = *it;
    DirectMessage& message = *kept;
    bool over = true;
    try {
      over = message.move(!to_answer.contains(message.key()));
      if (message.has_to_answer()) to_answer.insert(message.key());
    } catch (const BackendError&) {
      message.error = std::current_exception();
    }
    it = over ? messages_.erase(it) : std::next(it);
    if (over) message.over.store(true, std::memory_order_release);
  }
  return !messages_.empty();
}

}  // namespace p2p::cuda
