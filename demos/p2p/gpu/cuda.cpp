// Checked calls, and events that are used again.
#include "demos/p2p/gpu/cuda.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace p2p::gpu {
namespace {

std::string described(cudaError_t code, const char* call) { return fmt::format("{}: {} ({})", call, cudaGetErrorString(code), static_cast<int>(code)); }

}  // namespace

void check(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // an error that is not sticky is reported once
  throw BackendError(described(code, call));
}

void tidy(cudaError_t code, const char* call) noexcept {
  if (code == cudaSuccess || code == cudaErrorCudartUnloading) return;  // the latter: the process ends, and CUDA has gone before
  cudaGetLastError();
  say_untidy(described(code, call).c_str());
}

void say_untidy(const char* why) noexcept {
  static std::atomic<bool> said{false};
  if (std::uncaught_exceptions() > 0 || said.exchange(true)) return;
  std::fprintf(stderr, "Cleaning up failed, which does not change what the run has shown: %s.\n", why);
}

int choose_gpu(int local_rank) {
  // Loading a kernel at its first launch waits for the GPU, on which a kernel may be waiting for a peer.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  // Streams that share a hardware queue wait for each other; the default is 8 queues.
  ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  // 34 is the toolkit's stub library, 35 no or an old driver, 100 a driver without a device.
  const int number = static_cast<int>(code);
  if (number == 34 || number == 35 || number == 100 || (code == cudaSuccess && count == 0)) {
    throw Error(fmt::format("no GPU: {} (cudaGetDeviceCount {}). Run with --backend host.",
                            code == cudaSuccess ? "CUDA sees no device" : cudaGetErrorString(code), number), 2);
  }
  check(code, "cudaGetDeviceCount");
  const int device = local_rank % count;
  check(cudaSetDevice(device), "cudaSetDevice");
  return device;
}

StreamHandle make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return StreamHandle(stream);
}

bool query(cudaEvent_t event) {
  const cudaError_t code = cudaEventQuery(event);
  if (code == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  check(code, "cudaEventQuery");
  return true;
}

EventHandle EventPool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      EventHandle event = std::move(free_.back());
      free_.pop_back();
      return event;
    }
  }
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, flags_), "cudaEventCreateWithFlags");
  return EventHandle(event);
}

void EventPool::give_back(EventHandle event) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(event));
}

Recorded::Recorded(std::shared_ptr<EventPool> pool, cudaStream_t stream) : pool_(std::move(pool)), event_(pool_->take()) {
  check(cudaEventRecord(event_.get(), stream), "cudaEventRecord");
}

bool Recorded::query() {
  if (done_.load(std::memory_order_acquire)) return true;
  if (!gpu::query(event_.get())) return false;
  done_.store(true, std::memory_order_release);
  return true;
}

}  // namespace p2p::gpu
