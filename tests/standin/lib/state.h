// What the stand-in for the CUDA runtime keeps: memory, streams, events, and the error state of the process.
#pragma once
#include <cuda_runtime_api.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace standin {

/// Says what was wrong on stderr, remembers `code` for cudaGetLastError and returns it. Wrong use is never a no-op.
cudaError_t refuse(cudaError_t code, const char* call, const std::string& why);
/// As a kernel's fault: from now on every call fails with `code`.
void fault(cudaError_t code, const std::string& why);
/// At the start of every call: the error that P2PLAB_STANDIN_FAIL ("cudaMalloc:2": its second use) or an earlier fault
/// demands, or that a host function may not call CUDA.
cudaError_t enter(const char* call);
cudaError_t last_error(bool forget);

/// True on a stream's thread while a host function runs.
extern thread_local bool t_in_host_function;

// Memory. "Device" memory has an address that nobody can read or write, and a second one that the stand-in uses.
cudaError_t allocate_device(void** out, std::size_t bytes);
cudaError_t allocate_pinned(void** out, std::size_t bytes);
cudaError_t share_block(void* memory, cudaIpcMemHandle_t* out);
cudaError_t open_shared(const cudaIpcMemHandle_t& handle, void** out);
/// False when it is no such block, or was freed before; `why` says which.
bool free_block(void* memory, bool device, std::string& why);
struct Access {
  void* at = nullptr;   ///< null: not allowed, and `why` says so
  bool device = false;
  std::string why;
};
/// Where the stand-in reads or writes `bytes` from `address` on, of device or pinned memory.
Access access(const void* address, std::size_t bytes);
/// If `word` is an address in device memory, the address the stand-in uses; null when it is not, an error in `why` when
/// the block was freed.
void* translate(const void* word, std::string& why);

/// One recording of an event.
struct Mark {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::int64_t when_ns = 0;
  void set();
  void wait();
  bool is_done();
};

/// The recordings of an event that several processes see.
struct SharedMark {
  std::atomic<std::uint64_t> recorded{0}, done{0};
  void wait(std::uint64_t number);
  void reach(std::uint64_t number);
  bool is_done() const { return done.load(std::memory_order_acquire) >= recorded.load(std::memory_order_acquire); }
};

}  // namespace standin

struct CUevent_st {
  unsigned flags = 0;
  standin::SharedMark* shared = nullptr;  ///< made with cudaEventInterprocess; never unmapped
  int file = -1;
  bool foreign = false;
  std::mutex mutex;
  std::shared_ptr<standin::Mark> mark;  ///< of the last recording
};

struct CUstream_st {
  std::mutex mutex;
  std::condition_variable changed, taken;
  std::deque<std::function<void()>> tasks;
  bool closing = false;
  std::atomic<bool> held{false};  ///< a NCCL call on it is still in progress
  void enqueue(std::function<void()> task);  ///< waits while the stream is full
  void add(std::function<void()> task);      ///< full or not
};

namespace standin {

cudaError_t make_shared_event(CUevent_st& event);
void drop_shared_event(CUevent_st& event);
cudaError_t share_event(const CUevent_st& event, cudaIpcEventHandle_t* out);
cudaError_t open_event(const cudaIpcEventHandle_t& from, CUevent_st& event);

/// Null and a message when it is the NULL stream, unknown, destroyed or held.
CUstream_st* stream_of(cudaStream_t stream, const char* call, cudaError_t& code);
CUstream_st* make_stream();
bool destroy_stream(cudaStream_t stream);
/// Waits for everything on all streams, as cudaFree does.
void synchronize_all();
/// What P2PLAB_STANDIN_ALLOCATE says to an allocation: "wait": for all streams, as the real ones may; "refuse": it is an error
/// once anything was put on a stream.
cudaError_t before_allocation(const char* call);
/// P2PLAB_STANDIN_SLOW_RECORD, "AFTER:LASTS" in ms: once the process is so old, recording an event takes so long.
void before_record();
std::int64_t now_ns();

}  // namespace standin

// For the stand-in for NCCL, which has nothing private but these.
extern "C" {
/// As standin::access(); null when it is not allowed.
void* p2plab_standin_access(const void* address, std::size_t bytes);
/// While held nobody may use the stream but threads that have called the second.
void p2plab_standin_hold(cudaStream_t stream, int held);
void p2plab_standin_use_held();
/// The device of the calling thread.
int p2plab_standin_device();
/// As standin::before_allocation(); true when it is to fail.
int p2plab_standin_may_not_allocate(const char* call);
/// True when the n-th use of `call` is to fail.
int p2plab_standin_injected(const char* call);
}
