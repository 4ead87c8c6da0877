// Streams and events on CUDA.
#include "demos/p2p/gpu/device.h"

#include <fmt/format.h>

#include "demos/p2p/gpu/blas.h"
#include "demos/p2p/gpu/launch.h"

namespace p2p::gpu {
namespace {

class Event final : public DeviceEvent {
 public:
  Event(std::shared_ptr<EventPool> pool, cudaStream_t stream) : recorded(std::move(pool), stream) {}
  bool query() override { return recorded.query(); }
  Recorded recorded;
};

class TimedEvent final : public p2p::Stamp {
 public:
  TimedEvent(std::shared_ptr<EventPool> pool, std::shared_ptr<Clock> clock, cudaStream_t stream)
      : recorded_(std::move(pool), stream), clock_(std::move(clock)) {}
  bool reached() override { return recorded_.query(); }
  p2plab::trace::Ticks when() override { return clock_->when(recorded_.get()); }

 private:
  Recorded recorded_;
  std::shared_ptr<Clock> clock_;
};

}  // namespace

Stream::Stream(std::shared_ptr<EventPool> marks, std::shared_ptr<EventPool> timed, std::shared_ptr<Clock> clock, int device)
    : marks_(std::move(marks)), timed_(std::move(timed)), clock_(std::move(clock)), device_(device), stream_(make_stream()) {}

std::shared_ptr<DeviceEvent> Stream::record() { return std::make_shared<Event>(marks_, get()); }

void Stream::wait(const DeviceEvent& event) {
  check(cudaStreamWaitEvent(get(), static_cast<const Event&>(event).recorded.get(), 0), "cudaStreamWaitEvent");
}

std::unique_ptr<p2p::Stamp> Stream::stamp() { return std::make_unique<TimedEvent>(timed_, clock_, get()); }

void Stream::launch(const Kernel& kernel) {
  check(cudaSetDevice(device_), "cudaSetDevice");  // any thread may launch
  if (const auto* product = std::get_if<kernels::Gemm>(&kernel.body); product != nullptr && multiply(*product, get())) return;
  gpu::launch(kernel, get());
  check(cudaGetLastError(), "a kernel's launch");
}

void Stream::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, get()), "cudaMemcpyAsync");
}

void Stream::set(void* to, int value, std::size_t bytes) {
  if (bytes > 0) check(cudaMemsetAsync(to, value, bytes, get()), "cudaMemsetAsync");
}

Gpu::Gpu(int local_rank, bool multiplies)
    : device_(choose_gpu(local_rank)), memory_(std::make_shared<Memory>(device_)),
      marks_(std::make_shared<EventPool>(cudaEventDisableTiming)), timed_(std::make_shared<EventPool>(cudaEventDefault)),
      clock_(std::make_shared<Clock>()) {
  if (multiplies) prepare_products();
}

std::string Gpu::description() const {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device_), "cudaGetDeviceProperties");
  int version = 0;
  check(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
  const std::string by = multiplied_by();
  return fmt::format("{}, CUDA {}.{}{}{}", properties.name, version / 1000, version % 1000 / 10, by.empty() ? "" : ", matrix products by ", by);
}

std::shared_ptr<DeviceStream> Gpu::stream(std::string_view) {
  check(cudaSetDevice(device_), "cudaSetDevice");
  return std::make_shared<Stream>(marks_, timed_, clock_, device_);
}

bool Gpu::tend() {
  check(cudaSetDevice(device_), "cudaSetDevice");  // of the thread that calls
  clock_->keep();
  return false;
}

}  // namespace p2p::gpu
