// The runtime's calls where streams, events and memory are a GPU's: the calling thread enqueues and goes on.
#include <fmt/format.h>

#include <cstring>

#include "demos/p2p/device_timeline.h"
#include "demos/p2p/runtime.h"
#include "demos/p2p/waiting.h"

namespace p2p {
namespace {

using What = DeviceEntry::What;

/// Tensors in the GPU's memory. What the host puts there or takes from there goes over the stream `compute`.
class DeviceTensors final : public TensorMemory {
 public:
  DeviceTensors(Runtime& runtime, std::shared_ptr<DeviceMemory> memory) : runtime_(runtime), memory_(std::move(memory)) {}

  std::shared_ptr<std::byte[]> allocate(std::size_t bytes) override {
    return {memory_->allocate(bytes), [memory = memory_](std::byte* p) { memory->release(p); }};
  }
  void set(std::byte* to, std::byte value, std::size_t bytes) override {
    runtime_.device_copy("fill", bytes, [&](DeviceStream& on) { on.set(to, std::to_integer<int>(value), bytes); });
  }
  void copy_in(std::byte* to, const std::byte* host, std::size_t bytes) override {
    const Pinned pinned(*memory_, bytes);
    std::memcpy(pinned.bytes, host, bytes);
    runtime_.device_copy("copy to GPU", bytes, [&](DeviceStream& on) { on.copy(to, pinned.bytes, bytes); });
  }
  void copy_out(std::byte* host, const std::byte* from, std::size_t bytes) override {
    const Pinned pinned(*memory_, bytes);
    runtime_.device_copy("copy to host", bytes, [&](DeviceStream& on) { on.copy(pinned.bytes, from, bytes); });
    std::memcpy(host, pinned.bytes, bytes);
  }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    runtime_.device_copy("copy", bytes, [&](DeviceStream& on) { on.copy(to, from, bytes); });
  }

 private:
  struct Pinned {
    Pinned(DeviceMemory& memory, std::size_t size) : of(memory), bytes(memory.allocate_pinned(size)) {}
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    ~Pinned() { of.release_pinned(bytes); }
    DeviceMemory& of;
    std::byte* bytes;
  };
  Runtime& runtime_;
  std::shared_ptr<DeviceMemory> memory_;
};

}  // namespace

void Runtime::open_device() {
  try {
    device_ = backend->device();
    device_memory_ = device_->memory();
    device_->start_clock(recorder.clock());
    hash_stream_ = device_->stream("checksums");
    hash_parts_ = device_memory_->allocate_pinned(kernels::Checksum::kParts * sizeof(std::uint64_t));
    timeline_ = std::make_unique<DeviceTimeline>(*this, *device_, device_memory_);
    if (recorder.on()) device_->tell_copies([this](CarriedCopy copy) { show_copy(std::move(copy)); });
    tensors_ = std::make_unique<DeviceTensors>(*this, device_memory_);
    TensorMemory::current = tensors_.get();
    if (options.multiplies) {
      const std::size_t elements = gemm_size() * gemm_size();
      StreamState& compute = *stream("compute");
      for (std::byte*& matrix : gemm_) matrix = device_memory_->allocate(elements * sizeof(float));
      for (std::byte*& matrix : gemm_) {
        compute.device->launch({kernels::Set{reinterpret_cast<float*>(matrix), &matrix == &gemm_[0] ? 1.0F : 0.5F}, elements});
      }
      // The first product may load a library and allocate: before the run.
      compute.device->launch(product());
    }
    if (recorder.on()) metric("gpu_clock_error_ns", static_cast<double>(device_->clock_error_ns()));
    if (const int ranks = device_->ranks_on_gpu(); ranks > 1 && recorder.on()) metric("ranks_on_gpu", ranks);
    if (backend->rank() == 0 && options.strict && !device_->strictness().empty()) note("strict", device_->strictness());
    if (recorder.on() && backend->rank() == 0) note("gpu", device_->description());
  } catch (const BackendError& error) {
    throw Error(fmt::format("The backend '{}' cannot use the GPU: {}.", options.backend, error.what()));
  }
}

void Runtime::close_device() {
  timeline_->drain();
  if (recorder.on()) metric("gpu_clock_error_ns", static_cast<double>(device_->clock_error_ns()));
  timeline_->finish();  // until it has ended it may copy, and show it
  device_->tell_copies({});
  timeline_.reset();
  TensorMemory::current = nullptr;
  for (auto& [name, stream] : streams_) device_memory_->release(stream->mark);
  for (std::byte* matrix : gemm_) {
    if (matrix != nullptr) device_memory_->release(matrix);
  }
  device_memory_->release_pinned(hash_parts_);
  hash_stream_.reset();
}

void Runtime::settle() {
  if (timeline_ != nullptr) timeline_->drain();
}

std::shared_ptr<StreamState> Runtime::device_stream(std::string_view name) {
  auto stream = std::make_shared<StreamState>();
  stream->runtime = this;
  stream->name = name;
  stream->lane = recorder.intern(name);
  stream->device = device_->stream(name);
  stream->mark = device_memory_->allocate(sizeof(long long));
  return stream;
}

EventPtr Runtime::device_record(StreamState& stream) {
  auto event = std::make_shared<EventState>();
  event->runtime = this;
  event->id = next_event_.fetch_add(1);
  event->lane = stream.lane;
  event->device = stream.device->record();
  DeviceEntry entry;
  entry.what = What::event;
  entry.event = event;
  entry.end = stream.device->stamp();
  if (auto* ring = Lane::current().ring; ring != nullptr) {
    Record record;
    record.type = RecordType::event;
    record.lane = stream.lane;
    record.value = event->id;
    ring->push(record);
  }
  timeline_->add(stream, std::move(entry));
  return event;
}

void Runtime::device_wait(StreamState& stream, const EventPtr& event, std::string_view name, Where where) {
  DeviceEntry entry;
  entry.what = What::wait;
  entry.call = annotate(Kind::wait, name, where);
  entry.call.flags = p2plab::trace::kBlocking;
  entry.event = event;
  entry.begin = stream.device->stamp();
  stream.device->wait(*event->device);
  entry.end = stream.device->stamp();
  timeline_->add(stream, std::move(entry));
}

Kernel Runtime::product() const {
  const std::size_t n = gemm_size();
  const auto matrix = [this](int i) { return reinterpret_cast<float*>(gemm_[i]); };
  return {kernels::Gemm{matrix(0), matrix(1), matrix(2), n, n, n}, n * n};
}

// The call of the host that puts work on a stream; the same request ties it to that work.
OpenSpan Runtime::enqueueing(std::string_view name, const Record& work, std::int32_t request) {
  Record record;
  record.kind = Kind::other;
  record.name = recorder.intern(name);
  record.site = work.site;
  record.microbatch = work.microbatch;
  record.request = request;
  return OpenSpan(record);
}

void Runtime::device_launch(const Record& record, std::chrono::nanoseconds duration, const std::vector<Kernel>& kernels,
                            StreamState& on) {
  DeviceEntry entry;
  entry.call = record;
  entry.call.request = next_request_.fetch_add(1);
  const OpenSpan launch = enqueueing("launch", record, entry.call.request);
  entry.begin = on.device->stamp();
  const bool paced = !options.real_compute && duration.count() > 0;
  auto* mark = reinterpret_cast<long long*>(on.mark);
  if (paced) on.device->launch({kernels::Mark{mark}});
  for (const Kernel& kernel : kernels) on.device->launch(kernel);
  if (paced) on.device->launch({kernels::Hold{mark, duration.count()}});
  if (options.real_compute) on.device->launch(product());
  entry.end = on.device->stamp();
  timeline_->add(on, std::move(entry));
}

void Runtime::device_copy(std::string_view name, std::size_t bytes, const std::function<void(DeviceStream&)>& copy) {
  if (bytes == 0) return;
  StreamState& stream = *this->stream("compute");
  DeviceEntry entry;
  entry.call = annotate(Kind::copy, name, Where{});
  entry.call.bytes = bytes;
  entry.call.request = next_request_.fetch_add(1);
  OpenSpan enqueued = enqueueing("enqueue", entry.call, entry.call.request);
  entry.begin = stream.device->stamp();
  copy(*stream.device);
  entry.end = stream.device->stamp();
  timeline_->add(stream, std::move(entry));
  enqueued.close();
  synchronize(device_record(stream), name, Where{});
}

void Runtime::show_copy(CarriedCopy copy) {
  StreamState* lane = nullptr;
  {
    const std::lock_guard lock(copy_lanes_mutex_);
    lane = &copy_lanes_[std::string(copy.lane)];
    if (lane->name.empty()) {
      lane->name = copy.lane;
      lane->lane = recorder.intern(copy.lane);
    }
  }
  DeviceEntry entry;
  entry.call = annotate(Kind::copy, copy.lane, Where{});
  entry.call.bytes = copy.bytes;
  entry.call.peer = copy.peer;
  entry.begin = std::move(copy.begin);
  entry.end = std::move(copy.end);
  timeline_->add(*lane, std::move(entry));
}

// Enqueued at once, or the host stands by until it is: NCCL connects two ranks at their first message, and both hosts wait.
void Runtime::issue(Pending& pending, const Record& call, const std::vector<OperationPtr>& operations) {
  constexpr std::int64_t kAtOnceNs = 200'000;
  const std::int64_t begin = backend->now_ns();
  do {
    if (pending.test()) return;
  } while (backend->now_ns() - begin < kAtOnceNs);
  Record record = call;
  record.flags |= p2plab::trace::kBlocking;
  record.sequence = p2plab::trace::kNone;  // the stream takes part in the collective, and it alone
  const OpenSpan span(record);
  auto* ring = Lane::current().ring;
  if (ring != nullptr) {
    for (const OperationPtr& operation : operations) {
      Record flight = operation->record;
      flight.type = RecordType::begin;
      flight.lane = in_flight_lane_;
      flight.flags |= p2plab::trace::kInFlight;
      flight.id = operation->in_flight = ring->next_id();
      ring->push(flight);
      operation->shown = true;
      if (operations.size() > 1) span.waits_for_request(operation->request);
    }
    ring->blocked(span.id());
  }
  for (Backoff backoff; !pending.test(); backoff.pause()) {
    if (ring != nullptr) ring->polled();
    if (backoff.napping()) check_stop();
  }
  if (ring != nullptr) ring->running();
}

std::shared_ptr<WorkState> Runtime::device_transfer(StreamState& stream, std::string_view name, std::vector<OperationPtr> operations,
                                                    bool grouped, bool explicit_stream, Where where) {
  DeviceEntry entry;
  entry.what = What::message;
  entry.call = grouped ? describe_group(name, operations, where) : operations.front()->record;
  entry.call.flags |= p2plab::trace::kBlocking;
  entry.operations = operations;
  const OpenSpan enqueued = enqueueing("enqueue", entry.call, operations.front()->request);
  std::vector<StreamTransfer> transfers;
  {
    const std::lock_guard order(post_mutex_);
    for (const OperationPtr& operation : operations) {
      const bool is_send = operation->kind == Kind::send;
      operation->record.sequence = sequences_[{is_send, {operation->peer, operation->tag}}]++;
      const bool synchronous = options.strict || (options.nccl_semantics && !backend->streams_only());
      transfers.push_back({is_send, {operation->tensor.data(), operation->tensor.nbytes(), operation->peer, operation->tag, synchronous}});
    }
  }
  const auto checksum = [&](const Tensor& tensor, DeviceStream& on) {
    std::byte* parts = device_memory_->allocate_pinned(kernels::Checksum::kParts * sizeof(std::uint64_t));
    on.launch({kernels::Checksum{reinterpret_cast<const unsigned char*>(tensor.data()), tensor.nbytes(),
                                             reinterpret_cast<std::uint64_t*>(parts)}, kernels::Checksum::kParts});
    return parts;
  };
  try {
    if (hashing) {
      // What was to be sent is what the current stream has come to by now, whatever it does next.
      DeviceStream& current = explicit_stream ? *stream.device : *this->stream("compute")->device;
      for (const OperationPtr& operation : operations) {
        if (operation->kind == Kind::send) entry.hashes.push_back({operation, checksum(operation->tensor, current), nullptr});
      }
      if (!explicit_stream && !entry.hashes.empty()) stream.device->wait(*current.record());
    }
    entry.begin = stream.device->stamp();
    const auto pending = device_->transfer(*stream.device, transfers, explicit_stream);
    issue(*pending, entry.call, operations);
    for (SendHashes& hashes : entry.hashes) hashes.after = checksum(hashes.operation->tensor, *stream.device);
    entry.end = stream.device->stamp();
  } catch (const BackendError& error) {
    throw Error(fmt::format("{} with rank {}, {} bytes ({}:{}) failed: {}.", name, operations.front()->peer,
                            entry.call.bytes, where.file_name(), where.line(), error.what()));
  }
  timeline_->add(stream, std::move(entry));
  auto work = std::make_shared<WorkState>();
  work->runtime = this;
  work->operations = std::move(operations);
  work->event = device_record(stream);
  return work;
}

std::shared_ptr<WorkState> Runtime::device_collective(StreamState& on, std::string_view name, const Collective& what, std::size_t bytes, Where where,
                                                      const GroupPtr& group) {
  DeviceEntry entry;
  entry.what = What::collective;
  entry.call = annotate(Kind::collective, name, where);
  entry.call.flags = p2plab::trace::kBlocking;
  entry.call.comm = group != nullptr ? group->comm : world_comm_;
  entry.call.bytes = bytes;
  entry.call.sequence = group != nullptr ? group->next++ : next_collective_++;
  entry.call.request = next_request_.fetch_add(1);
  const OpenSpan enqueued = enqueueing("enqueue", entry.call, entry.call.request);
  try {
    entry.begin = on.device->stamp();
    const auto pending = device_->collective(*on.device, what);
    issue(*pending, entry.call, {});
    entry.end = on.device->stamp();
  } catch (const BackendError& error) {
    throw Error(fmt::format("{} of {} bytes ({}:{}) failed: {}.", name, bytes, where.file_name(), where.line(), error.what()));
  }
  timeline_->add(on, std::move(entry));
  auto work = std::make_shared<WorkState>();
  work->runtime = this;
  work->event = device_record(on);
  return work;
}

std::uint64_t Runtime::device_hash(const Tensor& tensor) {
  const std::lock_guard lock(hash_mutex_);
  hash_stream_->launch({kernels::Checksum{reinterpret_cast<const unsigned char*>(tensor.data()), tensor.nbytes(),
                                          reinterpret_cast<std::uint64_t*>(hash_parts_)}, kernels::Checksum::kParts});
  const auto event = hash_stream_->record();
  for (Backoff backoff; !event->query(); backoff.pause()) {
  }
  return combine_parts(hash_parts_);
}

}  // namespace p2p
