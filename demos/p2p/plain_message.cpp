// A blocking message with nothing special about it, on the thread that asks for it. Whatever is done before it is posted
// delays it, so its record is written while it travels: one where it is over at once, else two.
#include <fmt/format.h>

#include "demos/p2p/runtime.h"
#include "demos/p2p/waiting.h"

namespace p2p {
bool Runtime::sends_plainly() const {
  return !hashing && !options.nccl_semantics && !link_.emulated() && device_ == nullptr && !is_virtual();
}

void Runtime::plain_message(Kind kind, std::string_view name, const Tensor& tensor, int peer, int tag, Where where) {
  const bool is_send = kind == Kind::send;
  auto* ring = Lane::current().ring;
  const auto began = ring != nullptr ? ring->now() : 0;
  const auto fail = [&](std::string_view why) {
    throw Error(fmt::format("{} {} rank {}, tag {}, {} bytes ({}:{}) failed: {}.", name, is_send ? "to" : "from", peer, tag, tensor.nbytes(),
                            where.file_name(), where.line(), why));
  };
  if (peer < 0 || peer >= backend->size()) fail(fmt::format("there is no such rank; ranks are 0 to {}", backend->size() - 1));
  const Transfer transfer{tensor.data(), tensor.nbytes(), peer, tag, options.strict};
  try {
    std::int32_t sequence = p2plab::trace::kNone;
    std::unique_ptr<Pending> pending;
    {
      const std::lock_guard order(post_mutex_);
      pending = is_send ? backend->send(transfer) : backend->receive(transfer);
      if (ring != nullptr) sequence = sequences_[{is_send, {peer, tag}}]++;
    }
    bool done = pending->test();
    if (ring == nullptr) {
      for (Backoff backoff; !done; done = pending->test()) {
        backoff.pause();
        if (backoff.napping()) check_stop();
      }
      return;
    }
    const auto ended = done ? ring->now() : 0;
    Record record = annotate(kind, name, where);
    record.ticks = began;
    record.id = ring->next_id();
    ring->next_id();  // the operation in flight
    record.lane = Lane::current().name;
    record.flags = p2plab::trace::kBlocking | p2plab::trace::kPosts;
    if (is_send && options.strict) record.flags |= p2plab::trace::kStrict;
    record.comm = world_comm_;
    record.peer = peer;
    record.tag = tag;
    record.bytes = tensor.nbytes();
    record.request = next_request_.fetch_add(1);
    record.sequence = sequence;
    record.type = done ? RecordType::done : RecordType::begin;
    if (done) record.value = (ended - began) << 16;
    ring->push_stamped(record);
    if (done) return;
    ring->blocked(record.id);
    for (Backoff backoff; !(done = pending->test());) {
      ring->polled();
      backoff.pause();
      if (backoff.napping()) check_stop();
    }
    Record end;
    end.type = RecordType::end;
    end.id = record.id;
    end.flags = p2plab::trace::kPosts;
    ring->push(end);
    ring->running();
  } catch (const BackendError& error) {
    fail(error.what());
  }
}

}  // namespace p2p
