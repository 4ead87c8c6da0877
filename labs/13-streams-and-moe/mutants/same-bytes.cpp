// Lab 13: streams and lifetimes; MoE all-to-all. Wrong: part A sends the same bytes each time; rank 1 makes the blocks itself.
#include <algorithm>
#include <string>
#include <vector>

#include "demos/p2p/world.h"

using namespace std::chrono_literals;
using p2p::Event, p2p::P2POp, p2p::Stream, p2p::Tensor, p2p::World;

constexpr int kBlocks = 6;
constexpr std::size_t kBytes = 24'875'000;  // of a block: 1 ms with 5 µs and 25 GB/s
constexpr int kTokens = 8, kWidth = 4;      // of each rank; floats of a token

/// Fills a block, or looks whether it is the right one, on the stream `compute`. Both return at once.
void produce(World& world, Tensor& block, int i) {
  world.compute({p2p::Kind::compute, "make " + std::to_string(i)}, 400us, [block, i] { std::fill(block.bytes().begin(), block.bytes().end(), std::byte(i + 1)); });
}
void consume(World& world, Tensor& block, int i, int& wrong) {
  world.compute({p2p::Kind::compute, "use " + std::to_string(i)}, 1ms, [block, i, &wrong] {
    if (block.bytes().front() != std::byte(i + 1) || block.bytes().back() != std::byte(i + 1)) ++wrong;
  });
}

/// A, rank 0: makes kBlocks blocks in two buffers and sends each on the stream `comm`. The host waits at the end only.
void give(World& world) {
  Stream compute = world.stream("compute"), comm = world.stream("comm");
  Tensor block[2] = {Tensor::bytes_of(kBytes), Tensor::bytes_of(kBytes)}, always = Tensor::bytes_of(kBytes);
  Event sent[2];
  for (int i = 0; i < kBlocks; ++i) {
    if (i >= 2) compute.wait(sent[i % 2]);  // the block before the last is out of this buffer
    produce(world, block[i % 2], i);
    comm.wait(compute.record());            // and this one is made before it is sent
    world.isend(always, 1, i, &comm);
    sent[i % 2] = comm.record();
  }
  comm.synchronize();
}

/// A, rank 1: receives them on `comm` and uses them on `compute`; the number of wrong ones.
int take(World& world) {
  Stream compute = world.stream("compute"), comm = world.stream("comm");
  int wrong = 0;
  Tensor block[2] = {Tensor::bytes_of(kBytes), Tensor::bytes_of(kBytes)};
  Event used[2];
  for (int i = 0; i < kBlocks; ++i) {
    if (i >= 2) comm.wait(used[i % 2]);
    world.irecv(block[i % 2], 0, i, &comm);
    compute.wait(comm.record());
    world.compute({p2p::Kind::compute, "make"}, 0us, [in = block[i % 2], i]() mutable { std::fill(in.bytes().begin(), in.bytes().end(), std::byte(i + 1)); });
    consume(world, block[i % 2], i, wrong);
    used[i % 2] = compute.record();
  }
  compute.synchronize();
  return wrong;
}

/// To which rank's expert token i of this rank goes: not evenly.
int expert_of(int rank, int i, int p) { return (rank + i * i + i / 3) % p; }
float value_of(int rank, int i, int k) { return static_cast<float>(100 * rank + 10 * i + k); }
/// What an expert makes of a token.
float expert(int rank, float value) { return value * static_cast<float>(rank + 1); }

/// B: tokens to their experts and back. tokens[i] holds kWidth floats; afterwards what the expert made of them.
void mixture_of_experts(World& world, std::vector<std::vector<float>>& tokens) {
  const int p = world.size(), rank = world.rank();
  // How many tokens go to each rank is known to their sender alone: counts first.
  std::vector<std::vector<int>> mine(static_cast<std::size_t>(p));  // my tokens, by expert
  for (int i = 0; i < kTokens; ++i) mine[static_cast<std::size_t>(expert_of(rank, i, p))].push_back(i);
  Tensor out_counts = Tensor::zeros({p}), in_counts = Tensor::zeros({p});
  for (int r = 0; r < p; ++r) out_counts.f32()[static_cast<std::size_t>(r)] = static_cast<float>(mine[static_cast<std::size_t>(r)].size());
  world.all_to_all(in_counts, out_counts);

  // Dispatch: one message to each expert, all in one group.
  std::vector<Tensor> out(static_cast<std::size_t>(p)), in(static_cast<std::size_t>(p));
  std::vector<P2POp> there, back;
  for (int r = 0; r < p; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const auto to = static_cast<std::int64_t>(mine[at].size()) * kWidth, from = static_cast<std::int64_t>(in_counts.f32()[at]) * kWidth;
    out[at] = Tensor::zeros({to});
    in[at] = Tensor::zeros({from});
    for (std::size_t n = 0; n < mine[at].size(); ++n) std::copy_n(tokens[static_cast<std::size_t>(mine[at][n])].begin(), kWidth, out[at].f32().begin() + static_cast<std::ptrdiff_t>(n) * kWidth);
    if (r == rank) std::copy_n(out[at].f32().begin(), to, in[at].f32().begin());
    if (r != rank && to > 0) there.push_back({P2POp::Type::isend, out[at], r}), back.push_back({P2POp::Type::irecv, out[at], r});
    if (r != rank && from > 0) there.push_back({P2POp::Type::irecv, in[at], r}), back.push_back({P2POp::Type::isend, in[at], r});
  }
  world.batch_isend_irecv(there).wait();
  for (Tensor& each : in)
    for (float& value : each.f32()) value = expert(rank, value);

  // Combine: the same messages the other way, into the places they came from.
  world.batch_isend_irecv(back).wait();
  std::copy_n(in[static_cast<std::size_t>(rank)].f32().begin(), in[static_cast<std::size_t>(rank)].numel(), out[static_cast<std::size_t>(rank)].f32().begin());
  for (int r = 0; r < p; ++r)
    for (std::size_t n = 0; n < mine[static_cast<std::size_t>(r)].size(); ++n) {
      const auto token = static_cast<std::size_t>(mine[static_cast<std::size_t>(r)][n]);
      std::copy_n(out[static_cast<std::size_t>(r)].f32().begin() + static_cast<std::ptrdiff_t>(n) * kWidth, kWidth, tokens[token].begin());
    }
}

int main(int argc, char** argv) {
  return p2p::run(argc, argv, [](World& world) {
    int wrong = 0;
    if (world.knob("part", "streams") == "streams") {
      if (world.rank() == 0) give(world);
      else wrong = take(world);
    } else {
      std::vector<std::vector<float>> tokens(kTokens, std::vector<float>(kWidth));
      for (int i = 0; i < kTokens; ++i)
        for (int k = 0; k < kWidth; ++k) tokens[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] = value_of(world.rank(), i, k);
      mixture_of_experts(world, tokens);
      for (int i = 0; i < kTokens; ++i)
        for (int k = 0; k < kWidth; ++k)
          if (tokens[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] != expert(expert_of(world.rank(), i, world.size()), value_of(world.rank(), i, k))) ++wrong;
    }
    world.metric("wrong", wrong);
  });
}
