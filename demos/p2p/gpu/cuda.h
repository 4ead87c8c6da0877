// The CUDA runtime, called once per need and checked: an error code becomes a BackendError that names the call.
#pragma once
#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "demos/p2p/device.h"

namespace p2p::gpu {

/// Throws BackendError unless `code` is success.
void check(cudaError_t code, const char* call);

/// What a failed clean-up says: the first one of the process, on stderr. It does not fail the run, whose result is there, and
/// says nothing on the way out of another error.
void tidy(cudaError_t code, const char* call) noexcept;
void say_untidy(const char* why) noexcept;

/// Takes the GPU for the calling thread and those it is told to by use(). Throws Error with status 2 and the reason when
/// there is none.
int choose_gpu(int local_rank);

struct EventDeleter {
  void operator()(cudaEvent_t event) const { tidy(cudaEventDestroy(event), "cudaEventDestroy"); }
};
struct StreamDeleter {
  void operator()(cudaStream_t stream) const { tidy(cudaStreamDestroy(stream), "cudaStreamDestroy"); }
};
using EventHandle = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventDeleter>;
using StreamHandle = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDeleter>;

/// A stream that does not wait for the NULL stream.
StreamHandle make_stream();
/// True once the event is done.
bool query(cudaEvent_t event);

/// Events that are used again: making one costs microseconds, and may wait for the GPU.
class EventPool {
 public:
  explicit EventPool(unsigned flags) : flags_(flags) {}
  EventHandle take();
  void give_back(EventHandle event);

 private:
  unsigned flags_;
  std::mutex mutex_;
  std::vector<EventHandle> free_;
};

/// An event of a pool, recorded once.
class Recorded {
 public:
  Recorded(std::shared_ptr<EventPool> pool, cudaStream_t stream);
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;
  ~Recorded() { pool_->give_back(std::move(event_)); }
  cudaEvent_t get() const { return event_.get(); }
  /// True once it is done; asks CUDA no more after that.
  bool query();

 private:
  std::shared_ptr<EventPool> pool_;
  EventHandle event_;
  std::atomic<bool> done_{false};
};

}  // namespace p2p::gpu
