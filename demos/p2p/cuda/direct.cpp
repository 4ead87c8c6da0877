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
};

/// Where a message lies.
struct Header {
  cudaIpcMemHandle_t handle;
  std::size_t offset;
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
  return place;
}

std::unique_ptr<host::Request> post(bool is_send, void* data, std::size_t bytes, int peer, int tag, MPI_Comm comm) {
  auto request = std::make_unique<host::Request>();
  const auto count = static_cast<int>(bytes);
  host::check(is_send ? PMPI_Isend(data, count, MPI_BYTE, peer, tag, comm, &request->request)
                      : PMPI_Irecv(data, count, MPI_BYTE, peer, tag, comm, &request->request));
  return request;
}

class DirectSend final : public Pending {
 public:
  DirectSend(const Header& header, const Transfer& t, MPI_Comm headers, MPI_Comm answers)
      : header_(header), sent_(post(true, &header_, sizeof header_, t.peer, t.tag, headers)),
        answered_(post(false, &answer_, 1, t.peer, t.tag, answers)) {}
  bool test() override {
    if (sent_ != nullptr && sent_->test()) sent_.reset();
    if (answered_ != nullptr && answered_->test()) answered_.reset();
    return sent_ == nullptr && answered_ == nullptr;
  }

 private:
  Header header_;
  char answer_ = 0;
  std::unique_ptr<host::Request> sent_, answered_;
};

}  // namespace

class DirectReceive final : public Pending {
 public:
  DirectReceive(Direct& owner, const Transfer& t) : owner_(owner), transfer_(t), came_(post(false, &header_, sizeof header_, t.peer, t.tag, owner.headers_)) {}
  bool test() override {
    if (copied_ == nullptr) {
      if (!came_->test()) return false;
      const std::byte* from = owner_.open(transfer_.peer, header_.handle) + header_.offset;
      gpu::check(cudaMemcpyAsync(transfer_.data, from, transfer_.bytes, cudaMemcpyDefault, owner_.stream_.get()), "cudaMemcpyAsync");
      copied_ = std::make_unique<gpu::Recorded>(owner_.events_, owner_.stream_.get());
    }
    if (answer_ == nullptr) {
      if (!copied_->query()) return false;
      answer_ = post(true, &byte_, 1, transfer_.peer, transfer_.tag, owner_.answers_);
    }
    return answer_->test();
  }

 private:
  Direct& owner_;
  Transfer transfer_;
  Header header_{};
  char byte_ = 0;
  std::unique_ptr<host::Request> came_, answer_;
  std::unique_ptr<gpu::Recorded> copied_;
};

Direct::Direct(std::shared_ptr<gpu::Memory> memory, int device, int rank, int ranks)
    : memory_(std::move(memory)), events_(std::make_shared<gpu::EventPool>(cudaEventDisableTiming)), stream_(gpu::make_stream()),
      reachable_(static_cast<std::size_t>(ranks)) {
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
  }
}

Direct::~Direct() {
  for (const auto& [key, memory] : opened_) cudaIpcCloseMemHandle(memory);
  if (std::uncaught_exceptions() > 0) return;
  // Whoever opened memory of this rank has closed it, too, before this rank frees it.
  MPI_Request request;
  if (PMPI_Ibarrier(headers_, &request) == MPI_SUCCESS) host::wait(request);
  PMPI_Comm_free(&headers_);
  PMPI_Comm_free(&answers_);
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

std::unique_ptr<Pending> Direct::send(const Transfer& transfer) {
  Header header{};
  std::byte* block = memory_->block_of(transfer.data);
  gpu::check(cudaIpcGetMemHandle(&header.handle, block), "cudaIpcGetMemHandle");
  header.offset = static_cast<std::size_t>(transfer.data - block);
  return std::make_unique<DirectSend>(header, transfer, headers_, answers_);
}

std::unique_ptr<Pending> Direct::receive(const Transfer& transfer) { return std::make_unique<DirectReceive>(*this, transfer); }

}  // namespace p2p::cuda
