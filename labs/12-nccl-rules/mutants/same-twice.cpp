// Lab 12: NCCL's rules without a GPU. Wrong: part B sends the activation twice, and rank 1 makes the mask.
#include <algorithm>
#include <string>
#include <vector>

#include "demos/p2p/world.h"

using p2p::P2POp, p2p::Tensor, p2p::World;

constexpr std::size_t kBytes = 24'875'000;  // 1 ms with 5 µs and 25 GB/s

/// Under NCCL's rules a call is enqueued on the stream `comm` and returns. This makes the host wait for all of it.
void finish(World& world, std::vector<p2p::Work>& works) {
  for (p2p::Work& work : works) work.wait();  // the stream `compute` waits,
  world.stream("compute").synchronize();      // and the host waits for that
}

/// A: both ranks give `out` and take `in`.
void exchange(World& world, int peer, const Tensor& out, Tensor& in) {
  std::vector<p2p::Work> works;
  const std::vector<P2POp> group = {{P2POp::Type::isend, out, peer}, {P2POp::Type::irecv, in, peer}};
  works.push_back(world.batch_isend_irecv(group));  // one group: they progress together
  finish(world, works);
}

/// What the other would have sent, made here.
void make(Tensor& tensor, int value) { std::fill(tensor.bytes().begin(), tensor.bytes().end(), std::byte(value)); }

/// B: rank 0 gives an activation and its mask to rank 1. There are no tags.
void two_messages(World& world, Tensor& activation, Tensor& mask) {
  std::vector<p2p::Work> works;
  const auto type = world.rank() == 0 ? P2POp::Type::isend : P2POp::Type::irecv;
  const std::vector<P2POp> group = {{type, activation, 1 - world.rank()}, {type, activation, 1 - world.rank()}};
  make(mask, 9);
  works.push_back(world.batch_isend_irecv(group));
  finish(world, works);
}

/// C: a chain 0 → 1 → 2 → 3 hands `chain` on, and rank 0 gives `skip` to rank 3 as well.
void skip_connection(World& world, Tensor& chain, Tensor& skip) {
  const int rank = world.rank();
  std::vector<p2p::Work> works;
  if (rank == 0) {
    const std::vector<P2POp> group = {{P2POp::Type::isend, chain, 1}, {P2POp::Type::isend, skip, 3}};  // neither waits for the other
    works.push_back(world.batch_isend_irecv(group));
  } else {
    if (rank < 3) works.push_back(world.irecv(chain, rank - 1));
    if (rank < 3) works.push_back(world.isend(chain, rank + 1));
    if (rank == 3) {
      const std::vector<P2POp> group = {{P2POp::Type::irecv, chain, 2}, {P2POp::Type::irecv, skip, 0}};
      works.push_back(world.batch_isend_irecv(group));
    }
  }
  finish(world, works);
}

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
