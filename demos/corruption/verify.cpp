// Known bytes, and the first difference in hex.
#include "demos/corruption/verify.h"

#include <algorithm>

namespace {

constexpr int kOwn = 1000;  // the microbatch number of the receiver's own bytes
constexpr std::size_t kShown = 16;

std::string hex(std::byte b) {
  constexpr char digits[] = "0123456789abcdef";
  const auto value = std::to_integer<unsigned>(b);
  return {digits[value >> 4], digits[value & 15]};
}

}  // namespace

p2p::Kernel fill(p2p::Tensor& buffer, std::uint64_t seed, int microbatch) {
  return {p2p::kernels::Fill{reinterpret_cast<unsigned char*>(buffer.data()), seed, microbatch}, buffer.nbytes()};
}

p2p::Tensor Pool::take() {
  if (free_.empty()) return p2p::Tensor::bytes_of(bytes_);
  p2p::Tensor block = free_.back();
  free_.pop_back();
  return block;
}

Verifier::Verifier(p2p::World& world, std::size_t bytes, bool receiver_delays)
    : world_(world), sign_(p2p::Tensor::bytes_of(1)), receiver_delays_(receiver_delays) {
  p2p::Tensor::bytes_of(bytes).host();
  if (world.nccl_semantics()) world.stream("sign");
}

void Verifier::write_own(p2p::Tensor& buffer) const {
  if (buffer.on_device() || world_.nccl_semantics()) {
    world_.launch({p2p::Kind::compute, "write own"}, {}, {fill(buffer, world_.seed(), kOwn)});
    world_.stream("compute").synchronize();
  } else {
    run_on_host(fill(buffer, world_.seed(), kOwn));
  }
}

void Verifier::own(const p2p::Tensor& buffer) { compare(buffer, kOwn); }

void Verifier::sender_is_late() { sign(1); }

void Verifier::receiver_is_late() {
  if (!receiver_delays_ || world_.nccl_semantics() || sign_.on_device()) return;
  sign(0);
}

// From one rank to the other. Under NCCL's rules a barrier would stand behind what is under way on the stream `comm`.
void Verifier::sign(int from) {
  if (!world_.nccl_semantics()) return world_.barrier();
  p2p::Stream aside = world_.stream("sign");
  if (world_.rank() == from) {
    world_.isend(sign_, 1 - from, 0, &aside);
  } else {
    world_.irecv(sign_, from, 0, &aside);
    aside.synchronize();
  }
}

void Verifier::compare(const p2p::Tensor& buffer, int microbatch) {
  if (world_.nccl_semantics()) world_.stream("compute").synchronize();  // torch's cpu() waits for the current stream
  const p2p::Tensor seen = buffer.host();
  const auto bytes = seen.bytes();
  const auto expected = [&](std::size_t i) { return std::byte{p2p::kernels::byte_of(world_.seed(), microbatch, i)}; };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == expected(i)) continue;
    ++corrupt_;
    if (!first_.empty()) continue;
    std::string sent;
    std::string received;
    for (std::size_t j = i; j < std::min(bytes.size(), i + kShown); ++j) {
      sent += hex(expected(j));
      received += hex(bytes[j]);
    }
    first_ = R"({"offset":)" + std::to_string(i) + R"(,"sent":")" + sent + R"(","received":")" + received + "\"}";
  }
}
