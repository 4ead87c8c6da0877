// Errors, injected faults, streams and marks.
#include "state.h"

#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>
#include <thread>

namespace standin {

thread_local bool t_in_host_function = false;
namespace {

constexpr std::size_t kFull = 1024;  ///< operations of one stream: beyond, the real launch waits for room, too

thread_local cudaError_t t_last = cudaSuccess;
thread_local bool t_may_use_held = false;
std::atomic<int> g_sticky{cudaSuccess};
std::atomic<bool> g_began{false};  ///< something was put on a stream

struct Streams {
  std::mutex mutex;
  std::set<CUstream_st*> alive;
};
// Never destroyed: streams run until the process is gone.
Streams& streams() {
  static auto* all = new Streams;
  return *all;
}

void work(CUstream_st* stream) {
  for (std::unique_lock lock(stream->mutex);;) {
    stream->changed.wait(lock, [&] { return stream->closing || !stream->tasks.empty(); });
    if (stream->tasks.empty()) break;
    auto task = std::move(stream->tasks.front());
    stream->tasks.pop_front();
    stream->taken.notify_all();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
  delete stream;
}

}  // namespace

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

cudaError_t refuse(cudaError_t code, const char* call, const std::string& why) {
  std::fprintf(stderr, "stand-in: %s: %s\n", call, why.c_str());
  return t_last = code;
}

void fault(cudaError_t code, const std::string& why) {
  std::fprintf(stderr, "stand-in: a kernel failed: %s\n", why.c_str());
  g_sticky = code;
}

cudaError_t enter(const char* call) {
  if (t_in_host_function) return refuse(cudaErrorNotPermitted, call, "a host function (cudaLaunchHostFunc) may not call CUDA");
  if (p2plab_standin_injected(call) != 0) return t_last = cudaErrorUnknown;
  if (const int sticky = g_sticky; sticky != cudaSuccess) return t_last = static_cast<cudaError_t>(sticky);
  return cudaSuccess;
}

cudaError_t last_error(bool forget) {
  const cudaError_t code = t_last;
  if (forget) t_last = static_cast<cudaError_t>(g_sticky.load());
  return code;
}

void Mark::set() {
  {
    const std::lock_guard lock(mutex);
    when_ns = now_ns();
    done = true;
  }
  changed.notify_all();
}
void Mark::wait() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [this] { return done; });
}
bool Mark::is_done() {
  const std::lock_guard lock(mutex);
  return done;
}

CUstream_st* make_stream() {
  auto* stream = new CUstream_st;
  {
    const std::lock_guard lock(streams().mutex);
    streams().alive.insert(stream);
  }
  std::thread(work, stream).detach();
  return stream;
}

bool destroy_stream(cudaStream_t stream) {
  {
    const std::lock_guard lock(streams().mutex);
    if (streams().alive.erase(stream) == 0) return false;
  }
  {
    const std::lock_guard lock(stream->mutex);
    stream->closing = true;
    stream->changed.notify_one();  // under the lock: the thread deletes the stream once it has the lock
  }
  return true;
}

CUstream_st* stream_of(cudaStream_t stream, const char* call, cudaError_t& code) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) {
    code = refuse(cudaErrorInvalidValue, call, "the NULL stream waits for all others and hides their races; use a stream of your own");
    return nullptr;
  }
  const std::lock_guard lock(streams().mutex);
  if (streams().alive.count(stream) == 0) {
    code = refuse(cudaErrorInvalidResourceHandle, call, "there is no such stream (destroyed?)");
    return nullptr;
  }
  if (stream->held && !t_may_use_held) {
    code = refuse(cudaErrorNotPermitted, call, "an NCCL call on this stream is still in progress; poll ncclCommGetAsyncError first");
    return nullptr;
  }
  return stream;
}

void synchronize_all() {
  std::vector<std::shared_ptr<Mark>> marks;
  {
    const std::lock_guard lock(streams().mutex);
    for (CUstream_st* stream : streams().alive) {
      marks.push_back(std::make_shared<Mark>());
      stream->add([mark = marks.back()] { mark->set(); });  // also behind a full one: others need the list of streams meanwhile
    }
  }
  for (const auto& mark : marks) mark->wait();
}

cudaError_t before_allocation(const char* call) {
  const char* order = std::getenv("P2PLAB_STANDIN_ALLOCATE");
  if (order == nullptr) return cudaSuccess;
  if (std::strcmp(order, "wait") == 0) {
    synchronize_all();
    return cudaSuccess;
  }
  return g_began ? refuse(cudaErrorNotPermitted, call, "the run has begun, and the real call may wait for its kernels; allocate before") : cudaSuccess;
}

void before_record() {
  static const std::int64_t began_ns = now_ns();
  const char* order = std::getenv("P2PLAB_STANDIN_SLOW_RECORD");
  int after_ms = 0, lasts_ms = 0;
  if (order == nullptr || std::sscanf(order, "%d:%d", &after_ms, &lasts_ms) != 2 || now_ns() - began_ns < after_ms * std::int64_t{1'000'000}) return;
  const timespec nap{0, lasts_ms * 1'000'000};
  nanosleep(&nap, nullptr);
}

}  // namespace standin

void CUstream_st::enqueue(std::function<void()> task) {
  {
    std::unique_lock lock(mutex);
    taken.wait(lock, [this] { return tasks.size() < standin::kFull; });
  }
  add(std::move(task));
}

void CUstream_st::add(std::function<void()> task) {
  standin::g_began = true;
  const std::lock_guard lock(mutex);
  tasks.push_back(std::move(task));
  changed.notify_one();
}

extern "C" int p2plab_standin_injected(const char* call) {
  const char* order = std::getenv("P2PLAB_STANDIN_FAIL");
  if (order == nullptr) return 0;
  const char* colon = std::strchr(order, ':');
  if (colon == nullptr || std::strlen(call) != static_cast<std::size_t>(colon - order) || std::strncmp(order, call, std::strlen(call)) != 0) return 0;
  static std::atomic<int> uses{0};
  if (++uses != std::atoi(colon + 1)) return 0;
  std::fprintf(stderr, "stand-in: %s: use %d fails as ordered\n", call, uses.load());
  return 1;
}

extern "C" int p2plab_standin_may_not_allocate(const char* call) { return standin::before_allocation(call) != cudaSuccess ? 1 : 0; }

extern "C" void p2plab_standin_hold(cudaStream_t stream, int held) { stream->held = held != 0; }

extern "C" void p2plab_standin_use_held() { standin::t_may_use_held = true; }
