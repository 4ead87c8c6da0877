// Lab 13: streams and lifetimes; MoE all-to-all. Wrong: part B sends nothing; each rank does the work of every expert.
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
  Tensor block[2] = {Tensor::bytes_of(kBytes), Tensor::bytes_of(kBytes)};
  Event sent[2];
  for (int i = 0; i < kBlocks; ++i) {
    if (i >= 2) compute.wait(sent[i % 2]);  // the block before the last is out of this buffer
    produce(world, block[i % 2], i);
    comm.wait(compute.record());            // and this one is made before it is sent
    world.isend(block[i % 2], 1, i, &comm);
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

/// B: every rank does the work of all experts.
void mixture_of_experts(World& world, std::vector<std::vector<float>>& tokens) {
  world.barrier();
  for (int i = 0; i < kTokens; ++i)
    for (float& value : tokens[static_cast<std::size_t>(i)]) value = expert(expert_of(world.rank(), i, world.size()), value);
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
