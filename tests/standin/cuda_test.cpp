// The stand-in for the CUDA runtime: what it does in order, and that wrong use is an error.
#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "demos/p2p/kernels.h"
#include "tests/support/catch.h"

extern "C" void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*);

namespace {

const char set_stub = 0, hold_stub = 0, unknown_stub = 0;

void register_kernels() {
  static const bool once = [] {
    __cudaRegisterFunction(nullptr, &set_stub, nullptr, "_ZN3p2p3gpu4eachINS_7kernels3SetEEEvT_m", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    __cudaRegisterFunction(nullptr, &hold_stub, nullptr, "_ZN3p2p3gpu4eachINS_7kernels8WaitFlagEEEvT_m", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    return true;
  }();
  (void)once;
}

struct Stream {
  Stream() { REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess); }
  ~Stream() { cudaStreamDestroy(stream); }
  cudaStream_t stream = nullptr;
};

template <class Body>
cudaError_t launch(const void* stub, Body body, std::size_t count, cudaStream_t stream) {
  void* arguments[] = {&body, &count};
  return cudaLaunchKernel(stub, dim3(static_cast<unsigned>((count + 255) / 256)), dim3(256), arguments, 0, stream);
}

float* device_floats(std::size_t count) {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, count * sizeof(float)) == cudaSuccess);
  return static_cast<float*>(memory);
}
template <class T>
T* pinned(std::size_t count) {
  void* memory = nullptr;
  REQUIRE(cudaMallocHost(&memory, count * sizeof(T)) == cudaSuccess);
  return static_cast<T*>(memory);
}

}  // namespace

TEST_CASE("kernels and copies of one stream run in order, with the arguments of the launch") {
  register_kernels();
  const Stream s;
  float* on_gpu = device_floats(1000);
  auto* seen = pinned<float>(1000);
  REQUIRE(cudaMemcpyAsync(seen, on_gpu, 4000, cudaMemcpyDeviceToHost, s.stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(s.stream) == cudaSuccess);
  CHECK(reinterpret_cast<unsigned char*>(seen)[17] == 0xCD);  // fresh memory is not zero
  REQUIRE(launch(&set_stub, p2p::kernels::Set{on_gpu, 1.5F}, 1000, s.stream) == cudaSuccess);
  REQUIRE(launch(&set_stub, p2p::kernels::Set{on_gpu, 2.5F}, 500, s.stream) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(seen, on_gpu, 4000, cudaMemcpyDefault, s.stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(s.stream) == cudaSuccess);
  CHECK(seen[499] == 2.5F);
  CHECK(seen[500] == 1.5F);
  CHECK(seen[999] == 1.5F);
  CHECK(cudaFree(on_gpu) == cudaSuccess);
  CHECK(cudaFreeHost(seen) == cudaSuccess);
}

TEST_CASE("a kernel's number that looks like an address of the GPU stays the number it is") {
  register_kernels();
  const Stream s;
  float* on_gpu = device_floats(4);
  auto* seen = pinned<unsigned>(4);
  // As a Set whose number, and what the compiler leaves behind it, have the bits of an address.
  struct {
    float* out;
    float* number;
  } body{on_gpu, on_gpu};
  REQUIRE(launch(&set_stub, body, 4, s.stream) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(seen, on_gpu, 16, cudaMemcpyDefault, s.stream) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(s.stream) == cudaSuccess);
  CHECK(seen[3] == static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(on_gpu)));
  CHECK(cudaFree(on_gpu) == cudaSuccess);
  CHECK(cudaFreeHost(seen) == cudaSuccess);
}

TEST_CASE("an event is pending until its stream comes there, and another stream waits for it") {
  register_kernels();
  const Stream first, second;
  auto* flag = pinned<unsigned>(1);
  *flag = 0;
  cudaEvent_t order = nullptr, held = nullptr, after = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&order, cudaEventDisableTiming) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&held, cudaEventDefault) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&after, cudaEventDefault) == cudaSuccess);
  CHECK(cudaEventQuery(held) != cudaSuccess);  // never recorded
  REQUIRE(launch(&hold_stub, p2p::kernels::WaitFlag{flag, 1}, 1, first.stream) == cudaSuccess);
  REQUIRE(cudaEventRecord(held, first.stream) == cudaSuccess);
  REQUIRE(cudaEventRecord(order, first.stream) == cudaSuccess);
  REQUIRE(cudaStreamWaitEvent(second.stream, order, 0) == cudaSuccess);
  REQUIRE(cudaEventRecord(after, second.stream) == cudaSuccess);
  CHECK(cudaEventQuery(held) == cudaErrorNotReady);
  CHECK(cudaEventQuery(after) == cudaErrorNotReady);
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, held, after) == cudaErrorNotReady);
  __atomic_store_n(flag, 1U, __ATOMIC_RELEASE);
  REQUIRE(cudaEventSynchronize(after) == cudaSuccess);
  CHECK(cudaEventQuery(held) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, held, after) == cudaSuccess);
  CHECK(ms >= 0);
  for (cudaEvent_t event : {order, held, after}) cudaEventDestroy(event);
}

TEST_CASE("a stream holds so many operations, and the next one waits for room") {
  register_kernels();
  const Stream s;
  auto* flag = pinned<unsigned>(1);
  *flag = 0;
  constexpr int kMore = 3000;
  std::atomic<int> launched{0};
  std::thread launcher([&] {
    for (; launched < kMore; ++launched) launch(&hold_stub, p2p::kernels::WaitFlag{flag, 1}, 1, s.stream);
  });
  while (launched < 1000) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // it could go on, if it did
  CHECK(launched < 1100);
  __atomic_store_n(flag, 1U, __ATOMIC_RELEASE);
  launcher.join();
  CHECK(cudaStreamSynchronize(s.stream) == cudaSuccess);
  CHECK(cudaFreeHost(flag) == cudaSuccess);
}

TEST_CASE("wrong use is an error, not nothing") {
  register_kernels();
  const Stream s;
  float* on_gpu = device_floats(16);
  auto* host = pinned<float>(16);
  std::vector<float> pageable(16);
  CHECK(cudaMemcpyAsync(host, on_gpu, 64, cudaMemcpyDefault, nullptr) == cudaErrorInvalidValue);             // the NULL stream
  CHECK(cudaMemcpyAsync(pageable.data(), on_gpu, 64, cudaMemcpyDefault, s.stream) == cudaErrorInvalidValue);  // not pinned
  CHECK(cudaMemcpyAsync(host, on_gpu, 68, cudaMemcpyDefault, s.stream) == cudaErrorInvalidValue);             // too long
  CHECK(cudaMemcpyAsync(host, on_gpu, 64, cudaMemcpyHostToDevice, s.stream) != cudaSuccess);                  // wrong way
  CHECK(launch(&unknown_stub, p2p::kernels::Set{on_gpu, 0}, 16, s.stream) == cudaErrorInvalidDeviceFunction);
  cudaEvent_t untimed = nullptr, timed = nullptr;
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&timed, cudaEventDefault);
  CHECK(cudaStreamWaitEvent(s.stream, untimed, 0) != cudaSuccess);  // never recorded
  cudaEventRecord(untimed, s.stream);
  cudaEventRecord(timed, s.stream);
  CHECK(cudaStreamWaitEvent(s.stream, timed, 0) == cudaErrorInvalidValue);  // one that times is not for order
  cudaStreamSynchronize(s.stream);
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, untimed, timed) == cudaErrorInvalidResourceHandle);
  cudaError_t inside = cudaSuccess;
  cudaLaunchHostFunc(s.stream, [](void* out) { *static_cast<cudaError_t*>(out) = cudaDeviceSynchronize(); }, &inside);
  cudaStreamSynchronize(s.stream);
  CHECK(inside == cudaErrorNotPermitted);
  CHECK(cudaFree(on_gpu) == cudaSuccess);
  CHECK(cudaFree(on_gpu) == cudaErrorInvalidValue);                                                  // twice
  CHECK(cudaMemcpyAsync(host, on_gpu, 64, cudaMemcpyDefault, s.stream) == cudaErrorInvalidValue);    // after free
  cudaGetLastError();
  CHECK(cudaGetLastError() == cudaSuccess);
  cudaEventDestroy(untimed);
  cudaEventDestroy(timed);
}

#if !defined(__SANITIZE_THREAD__)  // which allows no threads after a fork
namespace {

/// What a process of its own returns, or the signal that ended it as a negative number.
template <class Body>
int in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("the host that reads or writes memory of the GPU, or runs over its end, falls") {
  const auto touches = [](std::size_t at, bool writes) {
    return in_child([&] {
      volatile char* memory = reinterpret_cast<char*>(device_floats(16));
      const char seen = writes ? '\0' : memory[at];
      if (writes) memory[at] = 1;
      return seen == 1 ? 1 : 0;
    });
  };
  CHECK(touches(0, false) == -SIGSEGV);
  CHECK(touches(0, true) == -SIGSEGV);
  CHECK(touches(4096, false) == -SIGSEGV);
}

TEST_CASE("a kernel that is given freed memory is a fault, and every later call of the process fails with it") {
  const int wrong = in_child([] {
    register_kernels();
    cudaStream_t stream = nullptr;
    void *freed = nullptr, *more = nullptr;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess || cudaMalloc(&freed, 64) != cudaSuccess) return 1;
    if (cudaFree(freed) != cudaSuccess) return 2;
    if (launch(&set_stub, p2p::kernels::Set{static_cast<float*>(freed), 1}, 16, stream) != cudaErrorIllegalAddress) return 3;
    if (cudaMalloc(&more, 64) != cudaErrorIllegalAddress || cudaGetLastError() != cudaErrorIllegalAddress) return 4;
    return cudaStreamSynchronize(stream) == cudaErrorIllegalAddress && cudaGetLastError() == cudaErrorIllegalAddress ? 0 : 5;
  });
  CHECK(wrong == 0);
}

TEST_CASE("events between processes: the other process sees the recording, waits for it and may record them itself") {
  cudaEvent_t event = nullptr, timing = nullptr;
  CHECK(cudaEventCreateWithFlags(&timing, cudaEventInterprocess) == cudaErrorInvalidValue);  // it would time
  REQUIRE(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming) == cudaSuccess);
  cudaIpcEventHandle_t handle;
  REQUIRE(cudaIpcGetEventHandle(&handle, event) == cudaSuccess);
  cudaEvent_t own = nullptr;
  CHECK(cudaIpcOpenEventHandle(&own, handle) == cudaErrorInvalidValue);  // a handle is for another process
  const pid_t child = ::fork();
  if (child == 0) {  // no stream of the parent runs here: streams are threads
    cudaEvent_t seen = nullptr;
    cudaStream_t stream = nullptr;
    bool well = cudaIpcOpenEventHandle(&seen, handle) == cudaSuccess && cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess;
    well = well && cudaEventRecord(seen, stream) == cudaSuccess && cudaEventSynchronize(seen) == cudaSuccess && cudaEventQuery(seen) == cudaSuccess;
    ::_exit(well ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(cudaEventQuery(event) == cudaSuccess);  // recorded over there, and over
  const Stream s;
  CHECK(cudaStreamWaitEvent(s.stream, event, 0) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.stream) == cudaSuccess);
  cudaEventDestroy(event);
}
#endif
