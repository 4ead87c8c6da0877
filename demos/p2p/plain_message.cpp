// A blocking message with nothing special about it, on the thread that asks for it. Whatever is done before it is posted
// delays it, so its record is made while it travels: one where it is over before the wait gives way, else two.
#include <fmt/format.h>

#include "demos/p2p/runtime.h"
#include "demos/p2p/waiting.h"

namespace p2p {
namespace {
constexpr std::size_t kShort = 64 << 10;  ///< bytes; a longer one is shown from its begin: MPI may copy it within one test
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
  const std::size_t bytes = tensor.nbytes();
  const Transfer transfer{tensor.data(), bytes, peer, tag, options.strict};
  try {
    std::int32_t sequence = p2plab::trace::kNone;
    std::unique_ptr<Pending> pending;
    {
      std::unique_lock order(post_mutex_, std::defer_lock);
      if (ring != nullptr && several_lanes_.load(std::memory_order_relaxed)) order.lock();  // only numbers need an order of their own
      pending = is_send ? backend->send(transfer) : backend->receive(transfer);
      if (ring != nullptr) sequence = sequences_[{is_send, {peer, tag}}]++;
    }
    bool done = pending->test();
    Backoff backoff;
    const auto wait = [&](auto goes_on) {
      for (; !done && goes_on(); done = pending->test()) {
        backoff.pause();
        if (backoff.napping()) check_stop();
      }
    };
    if (ring == nullptr) return wait([] { return true; });
    auto ended = done ? ring->now() : 0;
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
    record.bytes = bytes;
    record.request = next_request_.fetch_add(1);
    record.sequence = sequence;
    record.type = RecordType::done;
    if (!done && bytes <= kShort) {
      wait([&] { return backoff.brief(); });
      if (done) ended = ring->now();
    }
    if (done) {
      record.value = (ended - began) << 16;
      return ring->push_stamped(record);
    }
    record.type = RecordType::begin;
    ring->push_stamped(record);
    ring->blocked(record.id);
    wait([&] {
      ring->polled();
      return true;
    });
    ring->end(record.id, p2plab::trace::kPosts);
    ring->running();
  } catch (const BackendError& error) {
    fail(error.what());
  }
}

}  // namespace p2p
