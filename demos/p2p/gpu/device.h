// What the backends cuda and nccl have in common: a GPU with streams, events, kernels and a clock. How messages travel is
// theirs.
#pragma once
#include "demos/p2p/gpu/clock.h"
#include "demos/p2p/gpu/memory.h"

namespace p2p::gpu {

class Stream final : public DeviceStream {
 public:
  Stream(std::shared_ptr<EventPool> marks, std::shared_ptr<EventPool> timed, std::shared_ptr<Clock> clock, int device);
  std::shared_ptr<DeviceEvent> record() override;
  void wait(const DeviceEvent& event) override;
  std::unique_ptr<p2p::Stamp> stamp() override;
  void launch(const Kernel& kernel) override;
  void copy(void* to, const void* from, std::size_t bytes) override;
  void set(void* to, int value, std::size_t bytes) override;
  cudaStream_t get() const { return stream_.get(); }

 private:
  std::shared_ptr<EventPool> marks_, timed_;
  std::shared_ptr<Clock> clock_;
  int device_;
  StreamHandle stream_;
};

class Gpu : public Device {
 public:
  explicit Gpu(int local_rank, bool multiplies = false);
  std::string description() const override;
  std::shared_ptr<DeviceMemory> memory() override { return memory_; }
  std::shared_ptr<DeviceStream> stream(std::string_view name) override;
  void start_clock(const p2plab::trace::ClockScale& clock) override { clock_->start(clock); }
  // By itself a GPU carries no message.
  std::unique_ptr<Pending> transfer(DeviceStream&, std::span<const StreamTransfer>, bool) override { throw BackendError("no transport"); }
  std::unique_ptr<Pending> collective(DeviceStream&, const Collective&) override { throw BackendError("no transport"); }
  bool tend() override;
  std::int64_t clock_error_ns() const override { return clock_->worst_error_ns(); }
  int number() const { return device_; }
  const std::shared_ptr<Memory>& blocks() const { return memory_; }

 private:
  int device_;
  std::shared_ptr<Memory> memory_;
  std::shared_ptr<EventPool> marks_, timed_;
  std::shared_ptr<Clock> clock_;
};

}  // namespace p2p::gpu
