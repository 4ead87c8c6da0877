// Events between processes: two counters in a page that both map. Who records raises the one, the stream that comes there
// the other.
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cstring>

#include "state.h"

namespace standin {
namespace {

/// What a cudaIpcEventHandle_t holds here.
struct Handle {
  int pid, file;
};

SharedMark* map(int file) {
  void* page = ::mmap(nullptr, sizeof(SharedMark), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return page == MAP_FAILED ? nullptr : static_cast<SharedMark*>(page);
}

}  // namespace

void SharedMark::wait(std::uint64_t number) {
  const timespec nap{0, 50'000};
  while (done.load(std::memory_order_acquire) < number) nanosleep(&nap, nullptr);
}

void SharedMark::reach(std::uint64_t number) {
  std::uint64_t before = done.load(std::memory_order_relaxed);
  while (before < number && !done.compare_exchange_weak(before, number, std::memory_order_acq_rel)) {
  }
}

cudaError_t make_shared_event(CUevent_st& event) {
  if ((event.flags & cudaEventDisableTiming) == 0) return refuse(cudaErrorInvalidValue, "cudaEventCreateWithFlags", "an event between processes cannot time");
  event.file = ::memfd_create("p2plab-standin-event", MFD_CLOEXEC);
  if (event.file < 0 || ::ftruncate(event.file, sizeof(SharedMark)) != 0 || (event.shared = map(event.file)) == nullptr) {
    return refuse(cudaErrorMemoryAllocation, "cudaEventCreateWithFlags", "no memory");
  }
  return cudaSuccess;
}

void drop_shared_event(CUevent_st& event) {
  if (event.file >= 0) ::close(event.file);  // the page stays: a stream may still come there
}

cudaError_t share_event(const CUevent_st& event, cudaIpcEventHandle_t* out) {
  if (event.shared == nullptr || event.foreign) {
    return refuse(cudaErrorInvalidResourceHandle, "cudaIpcGetEventHandle", "the event was not made with cudaEventInterprocess by this process");
  }
  const Handle handle{static_cast<int>(::getpid()), event.file};
  std::memset(out, 0, sizeof *out);
  std::memcpy(out->reserved, &handle, sizeof handle);
  return cudaSuccess;
}

cudaError_t open_event(const cudaIpcEventHandle_t& from, CUevent_st& event) {
  Handle handle;
  std::memcpy(&handle, from.reserved, sizeof handle);
  if (handle.pid == ::getpid()) return refuse(cudaErrorInvalidValue, "cudaIpcOpenEventHandle", "a handle is for another process");
  event.flags = cudaEventInterprocess | cudaEventDisableTiming;
  event.foreign = true;
  event.file = ::open(("/proc/" + std::to_string(handle.pid) + "/fd/" + std::to_string(handle.file)).c_str(), O_RDWR | O_CLOEXEC);
  if (event.file < 0 || (event.shared = map(event.file)) == nullptr) {
    return refuse(cudaErrorInvalidValue, "cudaIpcOpenEventHandle", "the event is not there (destroyed?)");
  }
  return cudaSuccess;
}

}  // namespace standin
