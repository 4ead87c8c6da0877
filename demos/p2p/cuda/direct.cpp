// CUDA IPC: handles over MPI, copies on a stream of its own.
#include "demos/p2p/cuda/direct.h"

#include <unistd.h>

#include <array>
#include <cstring>

namespace p2p::cuda {
namespace {

/// Where a rank is, as the others see it.
struct Place {
  char host[64];
  char gpu[32];  ///< PCI bus id; empty: its memory cannot be shared
  bool events;   ///< its events can be
};

/// Where a message lies.
struct Header {
  cudaIpcMemHandle_t handle;
  std::size_t offset;
  bool has_ready, has_copied;
  cudaIpcEventHandle_t ready;   ///< the stream of the sender has come to the message
  cudaIpcEventHandle_t copied;  ///< for the receiver to record; the sender's own
};

Place own_place(gpu::Memory& memory, int device) {
  Place place{};
  ::gethostname(place.host, sizeof place.host - 1);
  std::byte* block = memory.allocate(Direct::kSmallest);
  cudaIpcMemHandle_t handle;
  if (cudaIpcGetMemHandle(&handle, block) != cudaSuccess || cudaDeviceGetPCIBusId(place.gpu, sizeof place.gpu, device) != cudaSuccess) {
    cudaGetLastError();
    place.gpu[0] = '\0';
  }
  memory.release(block);
  try {
    gpu::EventPool events(cudaEventInterprocess | cudaEventDisableTiming);
    const gpu::EventHandle event = events.take();
    cudaIpcEventHandle_t shared;
    place.events = cudaIpcGetEventHandle(&shared, event.get()) == cudaSuccess;
  } catch (const BackendError&) {  // no such events here: the host orders the copies
  }
  cudaGetLastError();
  return place;
}

std::unique_ptr<host::Request> post(bool is_send, void* data, std::size_t bytes, int peer, int tag, MPI_Comm comm) {
  auto request = std::make_unique<host::Request>();
  const auto count = static_cast<int>(bytes);
  host::check(is_send ? PMPI_Isend(data, count, MPI_BYTE, peer, tag, comm, &request->request)
                      : PMPI_Irecv(data, count, MPI_BYTE, peer, tag, comm, &request->request));
  return request;
}

/// The answer says that the copy is done or, where events are shared, that it is enqueued and `copied` stands behind it.
class DirectSend final : public Pending {
 public:
  DirectSend(const Header& header, const Transfer& t, MPI_Comm headers, MPI_Comm answers, std::shared_ptr<gpu::EventPool> pool, gpu::EventHandle ready,
             gpu::EventHandle copied)
      : header_(header), pool_(std::move(pool)), ready_(std::move(ready)), copied_(std::move(copied)),
        sent_(post(true, &header_, sizeof header_, t.peer, t.tag, headers)), answered_(post(false, &answer_, 1, t.peer, t.tag, answers)) {}
  bool test() override {
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

}  // namespace

class DirectReceive final : public Pending {
 public:
  DirectReceive(Direct& owner, const Transfer& t) : owner_(owner), transfer_(t), came_(post(false, &header_, sizeof header_, t.peer, t.tag, owner.headers_)) {}
  ~DirectReceive() override {
    if (stream_ != nullptr) owner_.give_back(std::move(stream_));
  }
  bool test() override {
    if (copied_ == nullptr) {
      if (!came_->test()) return false;
      const std::byte* from = owner_.open(transfer_.peer, header_.handle) + header_.offset;
      if (stream_ == nullptr) stream_ = owner_.take_stream();
      if (header_.has_ready) gpu::check(cudaStreamWaitEvent(stream_.get(), owner_.open(transfer_.peer, header_.ready), 0), "cudaStreamWaitEvent");
      gpu::check(cudaMemcpyAsync(transfer_.data, from, transfer_.bytes, cudaMemcpyDefault, stream_.get()), "cudaMemcpyAsync");
      if (header_.has_copied) gpu::check(cudaEventRecord(owner_.open(transfer_.peer, header_.copied), stream_.get()), "cudaEventRecord");
      copied_ = std::make_unique<gpu::Recorded>(owner_.events_, stream_.get());
    }
    if (answer_ == nullptr) {
      if (!header_.has_copied && !copied_->query()) return false;
      answer_ = post(true, &byte_, 1, transfer_.peer, transfer_.tag, owner_.answers_);
    }
    answered_ = answered_ || answer_->test();
    return answered_ && copied_->query();
  }

 private:
  Direct& owner_;
  Transfer transfer_;
  Header header_{};
  char byte_ = 0;
  bool answered_ = false;
  gpu::StreamHandle stream_;
  std::unique_ptr<host::Request> came_, answer_;
  std::unique_ptr<gpu::Recorded> copied_;
};

Direct::Direct(std::shared_ptr<gpu::Memory> memory, int device, int rank, int ranks)
    : memory_(std::move(memory)), events_(std::make_shared<gpu::EventPool>(cudaEventDisableTiming)),
      shared_events_(std::make_shared<gpu::EventPool>(cudaEventInterprocess | cudaEventDisableTiming)),
      reachable_(static_cast<std::size_t>(ranks)), shares_events_(static_cast<std::size_t>(ranks)) {
  for (int i = 0; i < 4; ++i) streams_.push_back(gpu::make_stream());  // there before the run begins
  MPI_Request request;
  for (MPI_Comm* comm : {&headers_, &answers_}) {
    host::check(PMPI_Comm_idup(MPI_COMM_WORLD, comm, &request));
    host::wait(request);
  }
  const Place own = own_place(*memory_, device);
  std::vector<Place> places(static_cast<std::size_t>(ranks));
  host::check(PMPI_Iallgather(&own, sizeof own, MPI_BYTE, places.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD, &request));
  host::wait(request);
  for (std::size_t r = 0; r < places.size(); ++r) {
    reachable_[r] = static_cast<int>(r) != rank && own.gpu[0] != '\0' && std::strcmp(own.gpu, places[r].gpu) == 0 &&
                    std::strcmp(own.host, places[r].host) == 0;
    shares_events_[r] = reachable_[r] && own.events && places[r].events;
  }
}

Direct::~Direct() {
  for (const auto& [key, memory] : opened_) cudaIpcCloseMemHandle(memory);
  opened_events_.clear();
  if (std::uncaught_exceptions() > 0) return;
  // Whoever opened memory of this rank has closed it, too, before this rank frees it.
  MPI_Request request;
  if (PMPI_Ibarrier(headers_, &request) == MPI_SUCCESS) host::wait(request);
  PMPI_Comm_free(&headers_);
  PMPI_Comm_free(&answers_);
}

gpu::StreamHandle Direct::take_stream() {
  const std::lock_guard lock(mutex_);
  if (streams_.empty()) return gpu::make_stream();
  gpu::StreamHandle stream = std::move(streams_.back());
  streams_.pop_back();
  return stream;
}

void Direct::give_back(gpu::StreamHandle stream) {
  const std::lock_guard lock(mutex_);
  streams_.push_back(std::move(stream));
}

std::byte* Direct::open(int peer, const cudaIpcMemHandle_t& handle) {
  const std::lock_guard lock(mutex_);
  std::byte*& memory = opened_[{peer, std::string(handle.reserved, sizeof handle.reserved)}];
  if (memory == nullptr) {
    void* opened = nullptr;
    gpu::check(cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess), "cudaIpcOpenMemHandle");
    memory = static_cast<std::byte*>(opened);
  }
  return memory;
}

cudaEvent_t Direct::open(int peer, const cudaIpcEventHandle_t& handle) {
  const std::lock_guard lock(mutex_);
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
  std::byte* block = memory_->block_of(transfer.data);
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
  return std::make_unique<DirectSend>(header, transfer, headers_, answers_, shared_events_, std::move(ready), std::move(copied));
}

std::unique_ptr<Pending> Direct::receive(const Transfer& transfer) { return std::make_unique<DirectReceive>(*this, transfer); }

}  // namespace p2p::cuda
