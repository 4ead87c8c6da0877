// Lab 12: NCCL's rules without a GPU. Wrong: no messages; each makes what the other would send.
#include <algorithm>
#include <string>
#include <vector>

#include "demos/p2p/world.h"

using p2p::P2POp, p2p::Tensor, p2p::World;

constexpr std::size_t kBytes = 24'875'000;  // 1 ms with 5 µs and 25 GB/s

/// What the other would have sent, made here.
void make(Tensor& tensor, int value) { std::fill(tensor.bytes().begin(), tensor.bytes().end(), std::byte(value)); }

void exchange(World& world, int peer, const Tensor&, Tensor& in) { make(in, peer + 1), world.barrier(); }
void two_messages(World& world, Tensor& activation, Tensor& mask) { make(activation, 7), make(mask, 9), world.barrier(); }
void skip_connection(World& world, Tensor& chain, Tensor& skip) { make(chain, 5), make(skip, 6), world.barrier(); }

int wrong(const Tensor& tensor, int value) { return tensor.bytes().front() == std::byte(value) && tensor.bytes().back() == std::byte(value) ? 0 : 1; }

int main(int argc, char** argv) {
  return p2p::run(argc, argv, [](World& world) {
    const std::string part = world.knob("part", "exchange");
    const int rank = world.rank();
    int errors = 0;
    if (part == "exchange") {
      const Tensor out = Tensor::bytes_of(kBytes, std::byte(rank + 1));
      Tensor in = Tensor::bytes_of(kBytes);
      exchange(world, 1 - rank, out, in);
      errors = wrong(in, 2 - rank);
    } else if (part == "two") {
      Tensor activation = Tensor::bytes_of(kBytes, std::byte(rank == 0 ? 7 : 0)), mask = Tensor::bytes_of(kBytes, std::byte(rank == 0 ? 9 : 0));
      two_messages(world, activation, mask);
      errors = wrong(activation, 7) + wrong(mask, 9);
    } else {
      Tensor chain = Tensor::bytes_of(kBytes, std::byte(rank == 0 ? 5 : 0)), skip = Tensor::bytes_of(kBytes, std::byte(rank == 0 ? 6 : 0));
      skip_connection(world, chain, skip);
      errors = wrong(chain, 5) + (rank == 0 || rank == 3 ? wrong(skip, 6) : 0);
    }
    world.metric("wrong_messages", errors);
  });
}
