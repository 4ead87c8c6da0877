// Messages: posting, testing, completing, and the calls that wait for them.
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "demos/p2p/runtime.h"
#include "demos/p2p/waiting.h"

namespace p2p {
namespace {

using p2plab::trace::Flag;
constexpr auto kAsynchronous = static_cast<std::uint8_t>(0);

std::string sentence(const Operation& operation, std::string_view why) {
  return fmt::format("{} {} rank {}, tag {}, {} bytes ({}:{}) failed: {}.", operation.name,
                     operation.kind == Kind::send ? "to" : "from", operation.peer, operation.tag,
                     operation.tensor.nbytes(), operation.where.file_name(), operation.where.line(), why);
}

}  // namespace

std::uint64_t Runtime::hash_of(const Tensor& tensor) {
  return tensor.on_device() ? device_hash(tensor) : ::XXH64(tensor.data(), tensor.nbytes(), 0);
}

OperationPtr Runtime::prepare(Kind kind, std::string_view name, const Tensor& tensor, int peer, int tag,
                              std::uint8_t flags, Where where) {
  auto operation = std::make_shared<Operation>();
  operation->kind = kind;
  operation->name = name;
  operation->tensor = tensor;
  operation->peer = peer;
  operation->tag = options.nccl_semantics ? 0 : tag;
  operation->where = where;
  if (!tensor.defined()) throw Error(sentence(*operation, "the tensor has no storage; make it with Tensor::zeros"));
  if (peer < 0 || peer >= backend->size()) {
    throw Error(sentence(*operation, fmt::format("there is no such rank; ranks are 0 to {}", backend->size() - 1)));
  }
  operation->request = next_request_.fetch_add(1);
  Record& record = operation->record = annotate(kind, name, where);
  record.flags = flags;
  if (kind == Kind::send && options.strict) record.flags |= p2plab::trace::kStrict;
  record.comm = world_comm_;
  record.peer = peer;
  if (!options.nccl_semantics) record.tag = tag;
  record.bytes = tensor.nbytes();
  record.request = operation->request;
  return operation;
}

std::vector<OperationPtr> Runtime::prepare_group(std::string_view name, std::span<const P2POp> ops, Where where) {
  std::vector<OperationPtr> operations;
  for (const P2POp& op : ops) {
    operations.push_back(prepare(op.type == P2POp::Type::isend ? Kind::send : Kind::receive, name, op.tensor, op.peer,
                                 op.tag, p2plab::trace::kGroup, where));
  }
  return operations;
}

// The call of a group: a send if anything is sent, else a receive; its bytes are the sum.
Record Runtime::describe_group(std::string_view name, const std::vector<OperationPtr>& operations, const Where& where) {
  const bool sends = std::any_of(operations.begin(), operations.end(),
                                 [](const OperationPtr& operation) { return operation->kind == Kind::send; });
  Record record = annotate(sends ? Kind::send : Kind::receive, name, where);
  record.flags = p2plab::trace::kGroup;
  record.comm = world_comm_;
  for (const OperationPtr& operation : operations) record.bytes += operation->tensor.nbytes();
  return record;
}

void Runtime::post(Operation& operation) {
  const std::lock_guard order(post_mutex_);
  const bool is_send = operation.kind == Kind::send;
  if (auto* ring = Lane::current().ring; ring != nullptr) {
    Record record = operation.record;
    record.type = RecordType::begin;
    record.sequence = sequences_[{is_send, {operation.peer, operation.tag}}]++;
    record.lane = in_flight_lane_;
    record.flags |= p2plab::trace::kInFlight;
    record.id = operation.in_flight = ring->next_id();
    ring->push(record);
  }
  if (is_send && hashing) {
    if (!operation.hashed) operation.hash = hash_of(operation.tensor);
    if (auto* ring = Lane::current().ring; ring != nullptr) {
      Record record;
      record.type = RecordType::hash_post;
      record.id = operation.in_flight;
      record.value = operation.hash;
      ring->push(record);
    }
  }
  Transfer transfer{operation.tensor.data(), operation.tensor.nbytes(), operation.peer, operation.tag,
                    options.strict || options.nccl_semantics};
  try {
    if (is_send && buffer_send(operation)) return;
    operation.pending = is_send ? backend->send(transfer) : backend->receive(transfer);
  } catch (const BackendError& error) {
    throw Error(sentence(operation, error.what()));
  }
}

void Runtime::post_group(const std::vector<OperationPtr>& operations) {
  backend->group_begin();
  for (const OperationPtr& operation : operations) post(*operation);
  backend->group_end();
}

bool Runtime::test(Operation& operation) {
  if (operation.done.load(std::memory_order_acquire)) return true;
  const std::lock_guard lock(operation.mutex);
  if (operation.done.load(std::memory_order_relaxed)) return true;
  if (operation.held_until == 0) {
    try {
      if (operation.pending != nullptr && !operation.pending->test()) return false;
    } catch (const BackendError& error) {
      throw Error(sentence(operation, error.what()));
    }
    operation.pending.reset();
    if (link_.emulated()) {
      operation.held_until = link_.complete_at(operation.kind == Kind::send, operation.peer, operation.tensor.nbytes(),
                                               backend->now_ns());
    }
  }
  if (operation.held_until > backend->now_ns()) return false;
  complete(operation);
  return true;
}

void Runtime::complete(Operation& operation) {
  auto* ring = Lane::current().ring;
  if (hashing) {
    const std::uint64_t now = hash_of(operation.tensor);
    if (operation.kind == Kind::send && now != operation.hash) ++hash_mismatches;
    if (ring != nullptr) {
      Record record;
      record.type = RecordType::hash_done;
      record.id = operation.in_flight;
      record.value = now;
      ring->push(record);
    }
  }
  if (ring != nullptr) ring->end(operation.in_flight);
  operation.done.store(true, std::memory_order_release);
}

void Runtime::wait_for(const OpenSpan& span, std::span<const OperationPtr> operations) {
  // When the wait will end, if all that is left lies on the emulated link.
  const auto all_done = [&](std::int64_t& wake) {
    bool done = true;
    bool only_held = true;
    wake = 0;
    for (const OperationPtr& operation : operations) {
      if (test(*operation)) continue;
      done = false;
      only_held = only_held && operation->held_until != 0;
      wake = std::max(wake, operation->held_until);
    }
    if (!only_held) wake = 0;
    return done;
  };
  std::int64_t wake = 0;
  if (all_done(wake)) return;
  auto* ring = Lane::current().ring;
  if (ring != nullptr) ring->blocked(span.id());
  if (is_virtual()) {
    wait_virtually([&operations] {
      return std::all_of(operations.begin(), operations.end(), [](const OperationPtr& operation) {
        const std::lock_guard lock(operation->mutex);
        return operation->done || operation->pending == nullptr || operation->pending->ready();
      });
    }, true);
    all_done(wake);
    return;
  }
  for (Backoff backoff; !all_done(wake); backoff.pause(wake)) {
    if (ring != nullptr) ring->polled();
    if (backoff.napping()) check_stop();
  }
  if (ring != nullptr) ring->running();
}

// Posts and waits, on whichever thread it is called.
void Runtime::carry_out(const OperationPtr& operation) {
  Record call = operation->record;
  call.flags |= p2plab::trace::kBlocking;
  const OpenSpan span(call);
  post(*operation);
  wait_for(span, {&operation, 1});
}

void Runtime::carry_out_group(std::string_view name, const std::vector<OperationPtr>& operations, Where where) {
  Record call = describe_group(name, operations, where);
  call.flags |= p2plab::trace::kBlocking;
  const OpenSpan span(call);
  post_group(operations);
  for (const OperationPtr& operation : operations) span.waits_for_request(operation->request);
  wait_for(span, operations);
}

void Runtime::follow(StreamState& stream, const std::vector<OperationPtr>& operations, Where where) {
  std::vector<EventPtr> before;
  {
    const std::lock_guard order(post_mutex_);
    for (const OperationPtr& operation : operations) {
      const auto it = last_message_.find({operation->kind == Kind::send, operation->peer});
      if (it != last_message_.end() && it->second.first != &stream) before.push_back(it->second.second);
    }
  }
  for (const EventPtr& event : before) stream_wait(stream, event, "wait for the message before", where);
}

// What was to be sent is what the current stream has come to by now, whatever it does next: before the stream of messages
// has come to the send, the buffer may be overwritten already.
void Runtime::hash_on_current(StreamState& stream, const std::vector<OperationPtr>& operations, Where where) {
  StreamState& current = *this->stream("compute");
  if (!hashing || &current == &stream) return;
  std::vector<OperationPtr> sends;
  std::copy_if(operations.begin(), operations.end(), std::back_inserter(sends), [](const OperationPtr& operation) { return operation->kind == Kind::send; });
  if (sends.empty()) return;
  current.executor->enqueue(guarded([sends = std::move(sends)] {
    for (const OperationPtr& send : sends) {
      send->hash = ::XXH64(send->tensor.data(), send->tensor.nbytes(), 0);
      send->hashed = true;
    }
  }));
  join_current(stream, where);
}

std::shared_ptr<WorkState> Runtime::enqueue_messages(StreamState& stream, std::vector<OperationPtr> operations, std::function<void()> task, Where where) {
  if (!options.nccl_semantics) return enqueue(stream, std::move(operations), std::move(task), where);
  follow(stream, operations, where);
  auto work = enqueue(stream, std::move(operations), std::move(task), where);
  const std::lock_guard order(post_mutex_);
  for (const OperationPtr& operation : work->operations) last_message_[{operation->kind == Kind::send, operation->peer}] = {&stream, work->event};
  return work;
}

void Runtime::send_or_recv(Kind kind, std::string_view name, const Tensor& tensor, int peer, int tag, Where where) {
  gate(where);
  if (tensor.defined() && sends_plainly()) return plain_message(kind, name, tensor, peer, tag, where);
  carry_out(prepare(kind, name, tensor, peer, tag, kAsynchronous, where));
}

std::shared_ptr<WorkState> Runtime::start(Kind kind, std::string_view name, const Tensor& tensor, int peer, int tag,
                                          StreamState* on, Where where, bool explicit_stream) {
  gate(where);
  const OperationPtr operation = prepare(kind, name, tensor, peer, tag, kAsynchronous, where);
  if (on == nullptr) {
    const OpenSpan span(operation->record);
    post(*operation);
    auto work = std::make_shared<WorkState>();
    work->runtime = this;
    work->operations = {operation};
    return work;
  }
  if (device_ != nullptr) return device_transfer(*on, name, {operation}, false, explicit_stream, where);
  if (!explicit_stream) hash_on_current(*on, {operation}, where);
  return enqueue_messages(*on, {operation}, [this, operation] { carry_out(operation); }, where);
}

void Runtime::group_now(std::string_view name, std::span<const P2POp> ops, Where where) {
  gate(where);
  carry_out_group(name, prepare_group(name, ops, where), where);
}

std::shared_ptr<WorkState> Runtime::start_group(std::string_view name, std::span<const P2POp> ops, StreamState* on,
                                                Where where, bool explicit_stream) {
  gate(where);
  auto operations = prepare_group(name, ops, where);
  if (on == nullptr) {
    const OpenSpan span(describe_group(name, operations, where));
    post_group(operations);
    for (const OperationPtr& operation : operations) span.waits_for_request(operation->request);
    auto work = std::make_shared<WorkState>();
    work->runtime = this;
    work->operations = std::move(operations);
    return work;
  }
  if (device_ != nullptr) return device_transfer(*on, name, std::move(operations), true, explicit_stream, where);
  if (!explicit_stream) hash_on_current(*on, operations, where);
  return enqueue_messages(*on, operations, [this, name = std::string(name), operations, where] { carry_out_group(name, operations, where); }, where);
}

void Runtime::wait(const std::shared_ptr<WorkState>& work, Where where) {
  if (work->event != nullptr) {
    // A work of a stream: under nccl semantics the stream `compute` waits and the caller goes on.
    if (options.nccl_semantics) {
      stream_wait(*stream("compute"), work->event, "wait", where);
    } else {
      synchronize(work->event, "wait", where);
    }
    return;
  }
  Record record = annotate(Kind::wait, "wait", where);
  record.flags = p2plab::trace::kBlocking;
  if (work->operations.size() == 1) record.request = work->operations.front()->request;
  const OpenSpan span(record);
  if (work->operations.size() > 1) {
    for (const OperationPtr& operation : work->operations) span.waits_for_request(operation->request);
  }
  wait_for(span, work->operations);
}

void Runtime::wait_all(std::span<Work> works, Where where) {
  std::vector<OperationPtr> posted;
  std::vector<EventPtr> events;
  for (Work& work : works) {
    if (!work.defined()) throw Error("wait_all was given a Work that stands for nothing; start it with isend or irecv.");
    const auto& state = work.state_;
    if (state->event != nullptr) {
      if (options.nccl_semantics) {
        stream_wait(*stream("compute"), state->event, "wait_all", where);
      } else {
        events.push_back(state->event);
      }
    } else {
      posted.insert(posted.end(), state->operations.begin(), state->operations.end());
    }
  }
  if (posted.empty() && events.empty()) return;
  Record record = annotate(Kind::wait, "wait_all", where);
  record.flags = p2plab::trace::kBlocking;
  const OpenSpan span(record);
  for (const OperationPtr& operation : posted) span.waits_for_request(operation->request);
  for (const EventPtr& event : events) span.waits_for_event(event->id, event->lane);
  wait_for(span, posted);
  for (const EventPtr& event : events) wait_for(span, *event);
}

bool Runtime::completed(const WorkState& work) {
  bool all = true;
  if (work.event != nullptr) {
    const std::lock_guard lock(work.event->mutex);
    all = work.event->done || (work.event->device != nullptr && work.event->device->query());
  } else {
    for (const OperationPtr& operation : work.operations) all = test(*operation) && all;
  }
  if (!all) poll_cost();
  return all;
}

WorkState::~WorkState() {
  if (event == nullptr) runtime->abandon(std::move(operations));
}

// A Work dropped before it was complete: its span stays open in the trace, and its buffer stays alive for the transport.
void Runtime::abandon(std::vector<OperationPtr> operations) {
  const std::lock_guard lock(post_mutex_);
  for (OperationPtr& operation : operations) {
    if (!operation->done) abandoned_.push_back(std::move(operation));
  }
}

}  // namespace p2p
