// World, Stream, Event and Work: the names a rank program uses; the work is done by Runtime.
#include "demos/p2p/world.h"

#include <algorithm>

#include "demos/p2p/runtime.h"

namespace p2p {
namespace {

// NCCL semantics put everything on a stream: `comm`, unless the caller names another.
StreamState* stream_or_comm(Runtime& runtime, StreamState* given, std::shared_ptr<StreamState>& keep, Where where) {
  if (given != nullptr || !runtime.options.nccl_semantics) return given;
  keep = runtime.stream("comm");
  runtime.join_current(*keep, where);
  return keep.get();
}

}  // namespace

namespace {

Options options_of(int argc, char** argv, Needs needs) {
  Options options = parse_options(argc, argv);
  options.multiplies = needs.products || options.real_compute;
  return options;
}

}  // namespace

World::World(int argc, char** argv, Needs needs) : runtime_(std::make_unique<Runtime>(options_of(argc, argv, needs))) {}
World::~World() = default;

void World::fail(const std::exception& error) { runtime_->fail(error); }

int World::rank() const { return runtime_->backend->rank(); }
int World::size() const { return runtime_->backend->size(); }
std::uint64_t World::seed() const { return runtime_->options.seed; }
bool World::strict() const { return runtime_->options.strict; }
bool World::nccl_semantics() const { return runtime_->options.nccl_semantics; }
std::int64_t World::now_ns() const { return runtime_->backend->now_ns(); }

std::string World::knob(std::string_view id, std::string_view fallback) const {
  const auto it = runtime_->options.knobs.find(id);
  return it == runtime_->options.knobs.end() ? std::string(fallback) : it->second;
}

std::int64_t World::knob(std::string_view id, std::int64_t fallback) const {
  const auto it = runtime_->options.knobs.find(id);
  return it == runtime_->options.knobs.end() ? fallback : parse_amount(std::string(id), it->second);
}

Stream World::stream(std::string_view name) {
  Stream stream;
  stream.state_ = runtime_->stream(name);
  return stream;
}

void World::send(const Tensor& tensor, int dst, int tag, Where where) {
  if (!nccl_semantics()) return runtime_->send_or_recv(Kind::send, "send", tensor, dst, tag, where);
  std::shared_ptr<StreamState> comm;
  runtime_->wait(runtime_->start(Kind::send, "send", tensor, dst, tag, stream_or_comm(*runtime_, nullptr, comm, where), where, false), where);
}

void World::recv(Tensor& tensor, int src, int tag, Where where) {
  if (!nccl_semantics()) return runtime_->send_or_recv(Kind::receive, "recv", tensor, src, tag, where);
  std::shared_ptr<StreamState> comm;
  runtime_->wait(runtime_->start(Kind::receive, "recv", tensor, src, tag, stream_or_comm(*runtime_, nullptr, comm, where), where, false), where);
}

Work World::isend(const Tensor& tensor, int dst, int tag, const Stream* on, Where where) {
  std::shared_ptr<StreamState> keep;
  StreamState* stream = stream_or_comm(*runtime_, on != nullptr ? on->state_.get() : nullptr, keep, where);
  Work work;
  work.state_ = runtime_->start(Kind::send, "isend", tensor, dst, tag, stream, where, on != nullptr);
  return work;
}

Work World::irecv(Tensor& tensor, int src, int tag, const Stream* on, Where where) {
  std::shared_ptr<StreamState> keep;
  StreamState* stream = stream_or_comm(*runtime_, on != nullptr ? on->state_.get() : nullptr, keep, where);
  Work work;
  work.state_ = runtime_->start(Kind::receive, "irecv", tensor, src, tag, stream, where, on != nullptr);
  return work;
}

void World::sendrecv(std::span<const P2POp> ops, Where where) {
  if (!nccl_semantics()) return runtime_->group_now("sendrecv", ops, where);
  std::shared_ptr<StreamState> comm;
  runtime_->wait(runtime_->start_group("sendrecv", ops, stream_or_comm(*runtime_, nullptr, comm, where), where, false), where);
}

Work World::batch_isend_irecv(std::span<const P2POp> ops, const Stream* on, Where where) {
  std::shared_ptr<StreamState> keep;
  StreamState* stream = stream_or_comm(*runtime_, on != nullptr ? on->state_.get() : nullptr, keep, where);
  Work work;
  work.state_ = runtime_->start_group("batch_isend_irecv", ops, stream, where, on != nullptr);
  return work;
}

void World::wait_all(std::span<Work> works, Where where) { runtime_->wait_all(works, where); }

void World::barrier(Where where) { runtime_->collective("barrier", {}, {}, {}, where); }

void World::broadcast(Tensor& tensor, int root, Where where) {
  Collective what{.type = Collective::Type::broadcast, .in = nullptr, .out = tensor.data(), .count = tensor.numel(),
                  .dtype = tensor.dtype(), .root = root};
  runtime_->collective("broadcast", what, {}, tensor, where);
}

void World::all_reduce(Tensor& tensor, Reduce op, Where where) {
  Collective what{.type = Collective::Type::all_reduce, .in = nullptr, .out = tensor.data(), .count = tensor.numel(),
                  .dtype = tensor.dtype(), .reduce = op};
  runtime_->collective("all_reduce", what, {}, tensor, where);
}

namespace {

void check_parts(const char* call, const Tensor& whole, const Tensor& part, int ranks) {
  if (whole.dtype() == part.dtype() && whole.numel() == part.numel() * static_cast<std::size_t>(ranks)) return;
  throw Error(std::string(call) + ": one tensor must hold as many elements as the other times the number of ranks, of the "
              "same type.");
}

}  // namespace

void World::all_gather(Tensor& out, const Tensor& in, Where where) {
  check_parts("all_gather", out, in, size());
  Collective what{.type = Collective::Type::all_gather, .in = in.data(), .out = out.data(),
                  .count = in.numel(), .dtype = in.dtype()};
  runtime_->collective("all_gather", what, in, out, where);
}

void World::reduce_scatter(Tensor& out, const Tensor& in, Where where) {
  check_parts("reduce_scatter", in, out, size());
  Collective what{.type = Collective::Type::reduce_scatter, .in = in.data(), .out = out.data(),
                  .count = out.numel(), .dtype = in.dtype()};
  runtime_->collective("reduce_scatter", what, in, out, where);
}

void World::all_to_all(Tensor& out, const Tensor& in, Where where) {
  if (out.numel() != in.numel() || out.dtype() != in.dtype() || in.numel() % static_cast<std::size_t>(size()) != 0) {
    throw Error("all_to_all: both tensors must have the same size, a multiple of the number of ranks.");
  }
  Collective what{.type = Collective::Type::all_to_all, .in = in.data(), .out = out.data(),
                  .count = in.numel() / static_cast<std::size_t>(size()), .dtype = in.dtype()};
  runtime_->collective("all_to_all", what, in, out, where);
}

Group World::new_group(std::span<const int> ranks, Where where) {
  Group group;
  group.state_ = runtime_->new_group(ranks, where);
  return group;
}

void World::broadcast(Tensor& tensor, int root, const Group& group, const Stream* on, Where where) {
  if (!group.defined()) throw Error("broadcast was given a Group that stands for nothing; make it with new_group.");
  const auto& ranks = group.state_->ranks;
  const auto place = std::find(ranks.begin(), ranks.end(), root);
  if (place == ranks.end()) throw Error("broadcast: the root " + std::to_string(root) + " is not in the group.");
  Collective what{.type = Collective::Type::broadcast, .in = nullptr, .out = tensor.data(), .count = tensor.numel(),
                  .dtype = tensor.dtype(), .root = static_cast<int>(place - ranks.begin()), .group = group.state_->id};
  runtime_->collective("broadcast", what, {}, tensor, where, group.state_, on != nullptr ? on->state_.get() : nullptr);
}

void World::compute(const ComputeLabel& label, std::chrono::nanoseconds duration, std::function<void()> body,
                    const Stream* on, Where where) {
  const std::shared_ptr<StreamState> stream = on != nullptr ? on->state_ : runtime_->stream("compute");
  runtime_->compute(label, duration, std::move(body), *stream, where);
}

void World::launch(const ComputeLabel& label, std::chrono::nanoseconds duration, std::vector<Kernel> kernels,
                   const Stream* on, Where where) {
  const std::shared_ptr<StreamState> stream = on != nullptr ? on->state_ : runtime_->stream("compute");
  runtime_->launch(label, duration, std::move(kernels), *stream, where);
}

std::shared_ptr<void> World::span(std::string_view name, Kind kind, Where where) {
  return std::make_shared<OpenSpan>(runtime_->annotate(kind, name, where));
}

void World::pause(std::chrono::nanoseconds duration, std::string_view why, Where where) {
  runtime_->pause(duration, why, where);
}

std::uint64_t World::measure_eager_limit() {
  if (nccl_semantics() && !runtime_->backend->streams_only()) return runtime_->hidden_buffer();
  return runtime_->backend->measure_eager_limit();
}
void World::hash_payloads(bool on) { runtime_->hashing = on; }
int World::hash_mismatches() const {
  runtime_->settle();
  return runtime_->hash_mismatches;
}
void World::metric(std::string_view name, double value) { runtime_->metric(name, value); }
void World::note(std::string_view name, std::string_view text) { runtime_->note(name, text); }

std::string_view Stream::name() const { return state_->name; }

Event Stream::record(Where where) {
  Event event;
  event.state_ = state_->runtime->record(*state_, where);
  return event;
}

void Stream::wait(const Event& event, Where where) {
  if (event.state_ == nullptr) throw Error("Stream::wait was given an event that no stream has recorded.");
  state_->runtime->stream_wait(*state_, event.state_, "wait for event", where);
}

void Stream::synchronize(Where where) {
  state_->runtime->synchronize(state_->runtime->record(*state_, where), "synchronize", where);
}

bool Event::query() const {
  if (state_ == nullptr) return true;  // as in CUDA: an event never recorded is complete
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->done || (state_->device != nullptr && state_->device->query())) return true;
  }
  state_->runtime->poll_cost();
  return false;
}

void Event::synchronize(Where where) const {
  if (state_ != nullptr) state_->runtime->synchronize(state_, "synchronize", where);
}

void Work::wait(Where where) {
  if (state_ == nullptr) throw Error("wait() was called on a Work that stands for nothing; start it with isend or irecv.");
  state_->runtime->wait(state_, where);
}

bool Work::is_completed() const { return state_ == nullptr || state_->runtime->completed(*state_); }

}  // namespace p2p
