// The functions of the CUDA runtime that the backends use, on threads and the host's memory.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "state.h"

using standin::access;
using standin::enter;
using standin::refuse;
using standin::stream_of;

namespace {

thread_local int t_device = 0;

// "8": so many GPUs; "error 35": what a machine without a driver says.
int devices(cudaError_t& code) {
  const char* text = std::getenv("P2PLAB_STANDIN_DEVICES");
  if (text == nullptr) return 8;
  if (std::strncmp(text, "error ", 6) == 0) code = static_cast<cudaError_t>(std::atoi(text + 6));
  return std::atoi(text);
}

}  // namespace

#define ENTER(call)                                                       \
  if (const cudaError_t entered = enter(#call); entered != cudaSuccess) { \
    return entered;                                                       \
  }
#define STREAM(name, stream, call)                        \
  cudaError_t name##_code = cudaSuccess;                  \
  CUstream_st* name = stream_of(stream, #call, name##_code); \
  if (name == nullptr) return name##_code

extern "C" {

int p2plab_standin_device() { return t_device; }

cudaError_t cudaGetDeviceCount(int* count) {
  ENTER(cudaGetDeviceCount);
  cudaError_t code = cudaSuccess;
  const int found = devices(code);
  if (code != cudaSuccess) return code;
  if (found == 0) return cudaErrorNoDevice;
  *count = found;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  ENTER(cudaSetDevice);
  cudaError_t code = cudaSuccess;
  if (device < 0 || device >= devices(code)) return refuse(cudaErrorInvalidDevice, "cudaSetDevice", "there is no such device");
  t_device = device;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  ENTER(cudaGetDevice);
  *device = t_device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  ENTER(cudaGetDeviceProperties);
  *properties = {};
  std::strcpy(properties->name, "stand-in without a GPU");
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  ENTER(cudaRuntimeGetVersion);
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  ENTER(cudaDriverGetVersion);
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return standin::last_error(true); }
cudaError_t cudaPeekAtLastError() { return standin::last_error(false); }
const char* cudaGetErrorString(cudaError_t code) {
  switch (code) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInsufficientDriver: return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    case cudaErrorStubLibrary: return "CUDA driver is a stub library";
    case cudaErrorInvalidResourceHandle: return "invalid resource handle";
    case cudaErrorNotReady: return "device not ready";
    case cudaErrorIllegalAddress: return "an illegal memory access was encountered";
    case cudaErrorNotPermitted: return "operation not permitted";
    default: return "unknown error";
  }
}
const char* cudaGetErrorName(cudaError_t code) { return cudaGetErrorString(code); }

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  ENTER(cudaMalloc);
  if (const cudaError_t code = standin::before_allocation("cudaMalloc"); code != cudaSuccess) return code;
  return standin::allocate_device(memory, bytes);
}
cudaError_t cudaMallocHost(void** memory, size_t bytes) {
  ENTER(cudaMallocHost);
  if (const cudaError_t code = standin::before_allocation("cudaMallocHost"); code != cudaSuccess) return code;
  return standin::allocate_pinned(memory, bytes);
}
cudaError_t cudaFree(void* memory) {
  ENTER(cudaFree);
  standin::synchronize_all();  // as the real one does
  std::string why;
  return standin::free_block(memory, true, why) ? cudaSuccess : refuse(cudaErrorInvalidValue, "cudaFree", why);
}
cudaError_t cudaFreeHost(void* memory) {
  ENTER(cudaFreeHost);
  standin::synchronize_all();
  std::string why;
  return standin::free_block(memory, false, why) ? cudaSuccess : refuse(cudaErrorInvalidValue, "cudaFreeHost", why);
}

cudaError_t cudaDeviceGetPCIBusId(char* out, int bytes, int device) {
  ENTER(cudaDeviceGetPCIBusId);
  std::snprintf(out, static_cast<std::size_t>(bytes), "0000:%02x:00.0", static_cast<unsigned>(device & 0xFF));
  return cudaSuccess;
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* memory) {
  ENTER(cudaIpcGetMemHandle);
  return standin::share_block(memory, handle);
}
cudaError_t cudaIpcOpenMemHandle(void** memory, cudaIpcMemHandle_t handle, unsigned) {
  ENTER(cudaIpcOpenMemHandle);
  return standin::open_shared(handle, memory);
}
cudaError_t cudaIpcCloseMemHandle(void* memory) {
  ENTER(cudaIpcCloseMemHandle);
  std::string why;
  return standin::free_block(memory, true, why) ? cudaSuccess : refuse(cudaErrorInvalidValue, "cudaIpcCloseMemHandle", why);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t on) {
  ENTER(cudaMemcpyAsync);
  STREAM(stream, on, cudaMemcpyAsync);
  const auto target = access(to, bytes), source = access(from, bytes);
  for (const auto* side : {&target, &source}) {
    if (side->at == nullptr) return refuse(cudaErrorInvalidValue, "cudaMemcpyAsync", side->why);
  }
  const bool fits = kind == cudaMemcpyDefault || (kind == cudaMemcpyHostToDevice && target.device && !source.device) ||
                    (kind == cudaMemcpyDeviceToHost && !target.device && source.device) ||
                    (kind == cudaMemcpyDeviceToDevice && target.device && source.device);
  if (!fits) return refuse(cudaErrorInvalidMemcpyDirection, "cudaMemcpyAsync", "the direction is not that of the addresses");
  stream->enqueue([to = target.at, from = source.at, bytes] { std::memcpy(to, from, bytes); });
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t on) {
  ENTER(cudaMemsetAsync);
  STREAM(stream, on, cudaMemsetAsync);
  const auto target = access(to, bytes);
  if (target.at == nullptr) return refuse(cudaErrorInvalidValue, "cudaMemsetAsync", target.why);
  stream->enqueue([to = target.at, value, bytes] { std::memset(to, value, bytes); });
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags) {
  ENTER(cudaStreamCreateWithFlags);
  if (flags != cudaStreamNonBlocking) return refuse(cudaErrorInvalidValue, "cudaStreamCreateWithFlags", "a stream that waits for the NULL stream");
  *out = standin::make_stream();
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  ENTER(cudaStreamDestroy);
  return standin::destroy_stream(stream) ? cudaSuccess : refuse(cudaErrorInvalidResourceHandle, "cudaStreamDestroy", "there is no such stream");
}
cudaError_t cudaStreamSynchronize(cudaStream_t on) {
  ENTER(cudaStreamSynchronize);
  STREAM(stream, on, cudaStreamSynchronize);
  const auto mark = std::make_shared<standin::Mark>();
  stream->enqueue([mark] { mark->set(); });
  mark->wait();
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t on, cudaEvent_t event, unsigned) {
  ENTER(cudaStreamWaitEvent);
  STREAM(stream, on, cudaStreamWaitEvent);
  if ((event->flags & cudaEventDisableTiming) == 0) {
    return refuse(cudaErrorInvalidValue, "cudaStreamWaitEvent", "the event times, which is not for an order of streams: make it with cudaEventDisableTiming");
  }
  if (event->shared != nullptr) {
    const std::uint64_t number = event->shared->recorded;
    if (number == 0) return refuse(cudaErrorInvalidValue, "cudaStreamWaitEvent", "the event was never recorded");
    stream->enqueue([shared = event->shared, number] { shared->wait(number); });
    return cudaSuccess;
  }
  std::shared_ptr<standin::Mark> mark;
  {
    const std::lock_guard lock(event->mutex);
    mark = event->mark;  // the recording of now, whatever comes later
  }
  if (mark == nullptr) return refuse(cudaErrorInvalidValue, "cudaStreamWaitEvent", "the event was never recorded");
  stream->enqueue([mark] { mark->wait(); });
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t on, cudaHostFn_t function, void* data) {
  ENTER(cudaLaunchHostFunc);
  STREAM(stream, on, cudaLaunchHostFunc);
  stream->enqueue([function, data] {
    standin::t_in_host_function = true;
    function(data);
    standin::t_in_host_function = false;
  });
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  ENTER(cudaDeviceSynchronize);
  standin::synchronize_all();
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags) {
  ENTER(cudaEventCreateWithFlags);
  auto event = std::make_unique<CUevent_st>();
  event->flags = flags;
  if ((flags & cudaEventInterprocess) != 0) {
    if (const cudaError_t code = standin::make_shared_event(*event); code != cudaSuccess) return code;
  }
  *out = event.release();
  return cudaSuccess;
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  ENTER(cudaIpcGetEventHandle);
  return standin::share_event(*event, handle);
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* out, cudaIpcEventHandle_t handle) {
  ENTER(cudaIpcOpenEventHandle);
  auto event = std::make_unique<CUevent_st>();
  if (const cudaError_t code = standin::open_event(handle, *event); code != cudaSuccess) return code;
  *out = event.release();
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  ENTER(cudaEventDestroy);
  standin::drop_shared_event(*event);
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t on) {
  ENTER(cudaEventRecord);
  STREAM(stream, on, cudaEventRecord);
  standin::before_record();
  if (event->shared != nullptr) {
    stream->enqueue([shared = event->shared, number = ++event->shared->recorded] { shared->reach(number); });
    return cudaSuccess;
  }
  const auto mark = std::make_shared<standin::Mark>();
  {
    const std::lock_guard lock(event->mutex);
    event->mark = mark;
  }
  stream->enqueue([mark] { mark->set(); });
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  ENTER(cudaEventQuery);
  if (event->shared != nullptr) return event->shared->is_done() ? cudaSuccess : cudaErrorNotReady;
  const std::lock_guard lock(event->mutex);
  if (event->mark == nullptr) return refuse(cudaErrorInvalidValue, "cudaEventQuery", "the event was never recorded");
  return event->mark->is_done() ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  ENTER(cudaEventSynchronize);
  if (event->shared != nullptr) {
    event->shared->wait(event->shared->recorded);
    return cudaSuccess;
  }
  std::shared_ptr<standin::Mark> mark;
  {
    const std::lock_guard lock(event->mutex);
    mark = event->mark;
  }
  if (mark == nullptr) return refuse(cudaErrorInvalidValue, "cudaEventSynchronize", "the event was never recorded");
  mark->wait();
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  ENTER(cudaEventElapsedTime);
  std::shared_ptr<standin::Mark> marks[2];
  for (int i = 0; i < 2; ++i) {
    cudaEvent_t event = i == 0 ? start : end;
    const std::lock_guard lock(event->mutex);
    if ((event->flags & cudaEventDisableTiming) != 0) return refuse(cudaErrorInvalidResourceHandle, "cudaEventElapsedTime", "the event was made without timing");
    if (event->mark == nullptr) return refuse(cudaErrorInvalidResourceHandle, "cudaEventElapsedTime", "the event was never recorded");
    if (!event->mark->is_done()) return cudaErrorNotReady;
    marks[i] = event->mark;
  }
  *ms = static_cast<float>(static_cast<double>(marks[1]->when_ns - marks[0]->when_ns) * 1e-6);
  return cudaSuccess;
}

}  // extern "C"
