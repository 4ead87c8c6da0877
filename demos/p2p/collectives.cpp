// Collectives over all ranks: blocking for the caller, or under nccl semantics for the streams.
#include <fmt/format.h>

#include "demos/p2p/runtime.h"
#include "demos/p2p/waiting.h"

namespace p2p {

void Runtime::collective(std::string_view name, Collective what, const Tensor& in, const Tensor& out, Where where) {
  gate(where);
  const auto call = [this, name = std::string(name), what, in, out, where] {
    const std::size_t bytes = std::max(in.nbytes(), out.nbytes());
    Record record = annotate(Kind::collective, name, where);
    record.flags = p2plab::trace::kBlocking;
    record.comm = world_comm_;
    record.bytes = bytes;
    record.sequence = next_collective_++;
    const OpenSpan span(record);
    try {
      const auto pending = backend->collective(what);
      if (pending->test()) return;
      auto* ring = Lane::current().ring;
      if (ring != nullptr) ring->blocked(span.id());
      if (is_virtual()) {
        wait_virtually([&pending] { return pending->ready(); });
        pending->test();
        return;
      }
      for (Backoff backoff; !pending->test(); backoff.pause()) {
        if (ring != nullptr) ring->polled();
        if (backoff.napping()) check_stop();
      }
      if (ring != nullptr) ring->running();
    } catch (const BackendError& error) {
      throw Error(fmt::format("{} of {} bytes ({}:{}) failed: {}.", name, bytes, where.file_name(), where.line(),
                              error.what()));
    }
  };
  if (!options.nccl_semantics) return call();
  join_current(*stream("comm"), where);
  const auto work = device_ != nullptr ? device_collective(name, what, std::max(in.nbytes(), out.nbytes()), where)
                                       : enqueue(*stream("comm"), {}, call, where);
  if (what.type == Collective::Type::barrier) {
    synchronize(work->event, name, where);
  } else {
    wait(work, where);
  }
}

}  // namespace p2p
