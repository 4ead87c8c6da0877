// Two microbatches go from rank 0 to rank 1. A buffer belongs to the library from isend or irecv until wait(): who
// touches it in between sends, or sees, other bytes than he meant. One function per variant.
#include <map>
#include <stdexcept>

#include "demos/corruption/verify.h"
#include "demos/p2p/world.h"

using namespace p2p;

namespace {

// Writes the activations of a microbatch into a buffer: on the stream `compute` where there is a GPU or the rules are
// NCCL's, else here and now.
void produce(World& world, Tensor& buffer, int microbatch) {
  const std::string name = "produce " + std::to_string(microbatch);
  if (buffer.on_device() || world.nccl_semantics()) {
    world.launch({Kind::compute, name}, {}, {fill(buffer, world.seed(), microbatch)});
    if (!world.nccl_semantics()) world.stream("compute").synchronize();  // MPI takes what lies there now
    return;
  }
  const auto mark = world.span(name, Kind::compute);
  run_on_host(fill(buffer, world.seed(), microbatch));
}

/// A copy that stands behind what the stream `compute` was given, as torch's clone() does.
Tensor clone_of(World& world, const Tensor& buffer) {
  if (world.nccl_semantics() && !buffer.on_device()) world.stream("compute").synchronize();
  return buffer.clone();
}

// [unsafe]
void unsafe(World& world, Tensor& buffer, Verifier& verify) {
  if (world.rank() == 0) {
    produce(world, buffer, 0);
    Work sending = world.isend(buffer, 1);
    produce(world, buffer, 1);  // too early: microbatch 0 may not have left yet
    verify.receiver_is_late();
    sending.wait();
    world.send(buffer, 1);
  } else {
    verify.receiver_is_late();
    Work receiving = world.irecv(buffer, 0);
    receiving.wait();
    verify.message(buffer, 0);
    world.recv(buffer, 0);
    verify.message(buffer, 1);
  }
}
// [end]

// [wait-first]
void wait_first(World& world, Tensor& buffer, Verifier& verify) {
  if (world.rank() == 0) {
    produce(world, buffer, 0);
    Work sending = world.isend(buffer, 1);
    sending.wait();  // now the buffer is ours again
    produce(world, buffer, 1);
    world.send(buffer, 1);
  } else {
    Work receiving = world.irecv(buffer, 0);
    receiving.wait();  // now the bytes are here
    verify.message(buffer, 0);
    world.recv(buffer, 0);
    verify.message(buffer, 1);
  }
}
// [end]

// [clone]
void clone(World& world, Tensor& buffer, Verifier& verify) {
  if (world.rank() == 0) {
    produce(world, buffer, 0);
    Work sending = world.isend(clone_of(world, buffer), 1);  // the message has a copy of its own
    produce(world, buffer, 1);
    sending.wait();
    world.send(buffer, 1);
  } else {
    Work receiving = world.irecv(buffer, 0);
    receiving.wait();
    verify.message(buffer, 0);
    world.recv(buffer, 0);
    verify.message(buffer, 1);
  }
}
// [end]

// [double-buffer]
void double_buffer(World& world, Tensor& buffer, Verifier& verify) {
  if (world.rank() == 0) {
    Tensor other = Tensor::bytes_of(buffer.nbytes());
    produce(world, buffer, 0);
    Work sending = world.isend(buffer, 1);
    produce(world, other, 1);  // into the other buffer, while the first is under way
    sending.wait();            // before anybody fills the first one again
    world.send(other, 1);
  } else {
    Work receiving = world.irecv(buffer, 0);
    receiving.wait();
    verify.message(buffer, 0);
    world.recv(buffer, 0);
    verify.message(buffer, 1);
  }
}
// [end]

// [freed]
void freed(World& world, Tensor& buffer, Verifier& verify) {
  if (world.rank() == 0) {
    Pool pool(buffer.nbytes());  // a caching allocator, as PyTorch has one
    Tensor first = pool.take();
    produce(world, first, 0);
    Work sending = world.isend(first, 1);
    pool.give_back(first);        // "freed" before the message has left,
    Tensor second = pool.take();  // so the allocator hands out the same memory again
    produce(world, second, 1);
    verify.receiver_is_late();
    sending.wait();
    world.send(second, 1);
  } else {
    verify.receiver_is_late();
    Work receiving = world.irecv(buffer, 0);
    receiving.wait();
    verify.message(buffer, 0);
    world.recv(buffer, 0);
    verify.message(buffer, 1);
  }
}
// [end]

// [early-read]
void early_read(World& world, Tensor& buffer, Verifier& verify) {
  if (world.rank() == 0) {
    produce(world, buffer, 0);
    verify.sender_is_late();
    Work sending = world.isend(buffer, 1);
    sending.wait();
    produce(world, buffer, 1);
    world.send(buffer, 1);
  } else {
    Work receiving = world.irecv(buffer, 0);
    verify.message(buffer, 0);  // too early: the bytes are not here yet
    verify.sender_is_late();
    receiving.wait();
    world.recv(buffer, 0);
    verify.message(buffer, 1);
  }
}
// [end]

// [early-reuse]
void early_reuse(World& world, Tensor& buffer, Verifier& verify) {
  if (world.rank() == 0) {
    produce(world, buffer, 0);
    verify.sender_is_late();
    Work sending = world.isend(buffer, 1);
    sending.wait();
    produce(world, buffer, 1);
    world.send(buffer, 1);
  } else {
    Work receiving = world.irecv(buffer, 0);
    verify.write_own(buffer);  // too early: the message is still to come into this buffer
    verify.sender_is_late();
    receiving.wait();
    verify.own(buffer);  // and has overwritten what was put there
    world.recv(buffer, 0);
    verify.message(buffer, 1);
  }
}
// [end]

const std::map<std::string, void (*)(World&, Tensor&, Verifier&), std::less<>> kVariants{
    {"unsafe", unsafe}, {"wait-first", wait_first}, {"clone", clone}, {"double-buffer", double_buffer},
    {"freed", freed},   {"early-read", early_read}, {"early-reuse", early_reuse}};

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [](World& world) {
    const auto variant = kVariants.find(world.knob("variant", "unsafe"));
    const auto bytes = static_cast<std::size_t>(world.knob("bytes", 1 << 20));
    const std::chrono::milliseconds delay(world.knob("receiver_delay_ms", 20));
    if (variant == kVariants.end()) {
      throw std::runtime_error("The demo corruption has no variant '" + world.knob("variant", "unsafe") + "'; see p2plab demos.");
    }
    if (world.size() != 2) throw std::runtime_error("The demo corruption runs on two ranks; give --ranks 2.");

    const auto eager_limit = world.measure_eager_limit();
    if (world.rank() == 0) world.metric("eager_limit_bytes", static_cast<double>(eager_limit));
    world.hash_payloads();  // when posted and when complete: finds a changed buffer even if the right bytes arrived
    world.barrier();

    Tensor buffer = Tensor::bytes_of(bytes);
    Verifier verify(world, bytes, delay.count() > 0);
    if (world.rank() == 1) world.pause(delay, "the receiver is busy");
    variant->second(world, buffer, verify);
    if (world.nccl_semantics()) world.stream("compute").synchronize();  // so far everything has only been enqueued

    if (world.rank() == 0) {
      world.metric("hash_mismatches", world.hash_mismatches());
    } else {
      world.metric("corrupt_bytes", static_cast<double>(verify.corrupt_bytes()));
      if (verify.corrupt_bytes() > 0) world.note("first_difference", verify.first_difference());
    }
  });
}
