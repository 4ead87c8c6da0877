// Everybody sends to the next rank of a ring and receives from the one before. Who sends first, waits for a receive that
// nobody has posted yet; whether that hangs depends on how much the library buffers.
#include "demos/p2p/world.h"

#include <array>
#include <stdexcept>

using namespace p2p;

int main(int argc, char** argv) {
  return run(argc, argv, [](World& world) {
    const int next = (world.rank() + 1) % world.size();
    const int prev = (world.rank() + world.size() - 1) % world.size();
    const auto variant = world.knob("variant", world.nccl_semantics() ? "unfused" : "send-first");
    auto bytes = static_cast<std::size_t>(world.knob("bytes", 1 << 20));

    const auto eager_limit = world.measure_eager_limit();
    if (world.rank() == 0) world.metric("eager_limit_bytes", static_cast<double>(eager_limit));
    if (world.strict() && world.nccl_semantics() && TensorMemory::current != nullptr && bytes <= eager_limit + eager_limit / 8) {
      bytes = eager_limit + eager_limit / 8 + 1;  // measured to one part in 16
      if (world.rank() == 0) world.note("strict", "bytes=" + std::to_string(bytes) + ", beyond what the library holds without a receive");
    }
    Tensor mine = Tensor::bytes_of(bytes, static_cast<std::byte>(world.rank() + 1));  // to the next rank
    Tensor theirs = Tensor::bytes_of(bytes);                                          // from the previous one

    world.barrier();

    if (variant == "send-first") {
      // [send-first]
      world.send(mine, next);    // waits until somebody receives, unless the message fits into a buffer
      world.recv(theirs, prev);  // reached only where the send was buffered
      // [end]
    } else if (variant == "ordered") {
      // [ordered]
      if (world.rank() % 2 == 0) {
        world.send(mine, next);
        world.recv(theirs, prev);
      } else {  // odd ranks receive first: a send always finds somebody who listens
        world.recv(theirs, prev);
        world.send(mine, next);
      }
      // [end]
    } else if (variant == "sendrecv") {
      // [sendrecv]
      const std::array<P2POp, 2> both{{{P2POp::Type::isend, mine, next}, {P2POp::Type::irecv, theirs, prev}}};
      world.sendrecv(both);  // one call, both directions progress together
      // [end]
    } else if (variant == "nonblocking") {
      // [nonblocking]
      Work sending = world.isend(mine, next);      // posted, not waited for
      Work receiving = world.irecv(theirs, prev);  // so everybody gets here
      receiving.wait();
      sending.wait();
      // [end]
    } else if (variant == "unfused") {
      // [unfused]
      Work sending = world.isend(mine, next);      // both calls return at once, but on the stream `comm`
      Work receiving = world.irecv(theirs, prev);  // the receive stands behind the send
      sending.wait();
      receiving.wait();
      // [end]
    } else if (variant == "grouped") {
      // [grouped]
      const std::array<P2POp, 2> both{{{P2POp::Type::isend, mine, next}, {P2POp::Type::irecv, theirs, prev}}};
      Work exchange = world.batch_isend_irecv(both);  // one operation of the stream, both directions inside
      exchange.wait();
      // [end]
    } else {
      throw std::runtime_error("The demo deadlock has no variant '" + variant + "'; see p2plab demos.");
    }

    // Under NCCL's rules everything above has only been enqueued.
    if (world.nccl_semantics()) world.stream("compute").synchronize();
    const Tensor arrived = theirs.host();
    for (const std::byte b : arrived.bytes()) {
      if (b != static_cast<std::byte>(prev + 1)) throw std::runtime_error("The message arrived with wrong bytes.");
    }
  });
}
