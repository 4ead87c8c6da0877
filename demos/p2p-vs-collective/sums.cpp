#include "demos/p2p-vs-collective/sums.h"

#include "demos/p2p/rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

using p2p::P2POp;
using p2p::Tensor;
using p2p::World;

namespace {

float* floats(const Tensor& tensor) { return reinterpret_cast<float*>(tensor.data()); }

void add(World& world, Tensor& to, const Tensor& what) {
  p2p::arithmetic(world, "add", {p2p::kernels::Add{floats(to), floats(what)}, to.numel()});
}

/// Sends one tensor and receives another at the same time.
void exchange(World& world, Tensor& out, int to, Tensor& in, int from, Traffic& traffic) {
  const std::array<P2POp, 2> both{{{P2POp::Type::isend, out, to}, {P2POp::Type::irecv, in, from}}};
  world.sendrecv(both);
  traffic.sent_bytes += out.nbytes();
  ++traffic.messages;
}
void send(World& world, Tensor& out, int to, Traffic& traffic) {
  world.send(out, to);
  traffic.sent_bytes += out.nbytes();
  ++traffic.messages;
}

// [send]
Traffic send_recv(World& world, Numbers& numbers) {
  Traffic traffic;
  if (world.rank() == 0) send(world, numbers.whole(), 1, traffic);  // one copy, on the one rank that needs it
  if (world.rank() == 1) world.recv(numbers.whole(), 0);
  return traffic;
}
// [end]

// [broadcast]
Traffic broadcast(World& world, Numbers& numbers) {
  world.broadcast(numbers.whole(), 0);  // a copy on every rank, needed or not
  return {};
}
// [end]

// [gather-broadcast]
Traffic gather_broadcast(World& world, Numbers& numbers) {
  Traffic traffic;
  if (world.rank() != 0) {
    send(world, numbers.whole(), 0, traffic);
    world.recv(numbers.whole(), 0);
    return traffic;
  }
  for (int from = 1; from < world.size(); ++from) {  // all of it passes through rank 0, twice
    world.recv(numbers.room(), from);
    add(world, numbers.whole(), numbers.room());
  }
  for (int to = 1; to < world.size(); ++to) send(world, numbers.whole(), to, traffic);
  return traffic;
}
// [end]

// [ring]
Traffic ring(World& world, Numbers& numbers) {
  Traffic traffic;
  const int p = world.size(), r = world.rank(), next = (r + 1) % p, prev = (r + p - 1) % p;
  auto& pieces = numbers.pieces();
  const auto piece = [&](int i) -> Tensor& { return pieces[static_cast<std::size_t>(((i % p) + p) % p)]; };
  for (int step = 0; step + 1 < p; ++step) {  // reduce-scatter: each piece collects the sum on its way round
    exchange(world, piece(r - step), next, numbers.room(), prev, traffic);
    add(world, piece(r - step - 1), numbers.room());
  }
  for (int step = 0; step + 1 < p; ++step)  // all-gather: each finished piece goes round once more
    exchange(world, piece(r + 1 - step), next, piece(r - step), prev, traffic);
  return traffic;
}
// [end]

// [doubling]
Traffic recursive_doubling(World& world, Numbers& numbers) {
  Traffic traffic;
  const int p = world.size(), r = world.rank(), power = static_cast<int>(std::bit_floor(static_cast<unsigned>(p))), rest = p - power;
  Tensor& mine = numbers.whole();
  if (r >= power) {  // ranks beyond the power of two lend their numbers to a partner and get the sum back
    send(world, mine, r - power, traffic);
    world.recv(mine, r - power);
    return traffic;
  }
  if (r < rest) {
    world.recv(numbers.room(), r + power);
    add(world, mine, numbers.room());
  }
  for (int distance = 1; distance < power; distance *= 2) {  // log2 p rounds, all of the data in each
    exchange(world, mine, r ^ distance, numbers.room(), r ^ distance, traffic);
    add(world, mine, numbers.room());
  }
  if (r < rest) send(world, mine, r + power, traffic);
  return traffic;
}
// [end]

// [all-reduce]
Traffic all_reduce(World& world, Numbers& numbers) {
  world.all_reduce(numbers.whole());
  return {};
}
// [end]

constexpr std::array kAlgorithms{
    Algorithm{"send", false, false, send_recv},        Algorithm{"broadcast", false, false, broadcast},
    Algorithm{"gather-broadcast", true, false, gather_broadcast}, Algorithm{"ring", true, true, ring},
    Algorithm{"doubling", true, false, recursive_doubling}, Algorithm{"all-reduce", true, false, all_reduce}};

}  // namespace

Numbers::Numbers(const World& world, std::size_t count, bool in_pieces) : rank_(world.rank()), size_(world.size()) {
  const auto parts = static_cast<std::size_t>(in_pieces ? size_ : 1);
  const auto each = static_cast<std::int64_t>((count + parts - 1) / parts);
  for (std::size_t i = 0; i < parts; ++i) pieces_.push_back(Tensor::zeros({each}));
  room_ = Tensor::zeros({each});
  refill();
}

void Numbers::refill() {
  std::size_t i = 0;
  for (Tensor& piece : pieces_) {
    std::vector<float> numbers(piece.numel());
    for (float& number : numbers) number = input(rank_, i++);
    piece.put(std::as_bytes(std::span(numbers)));
  }
}

float Numbers::error(int from) const {
  float error = 0;
  std::size_t i = 0;
  for (const Tensor& piece : pieces_)
    for (const Tensor here = piece.host(); const float number : here.f32()) {
      float wanted = 0;
      if (from >= 0) wanted = input(from, i);
      for (int rank = 0; from < 0 && rank < size_; ++rank) wanted += input(rank, i);
      error = std::max(error, std::abs(number - wanted));
      ++i;
    }
  return error;
}

std::span<const Algorithm> algorithms() { return kAlgorithms; }
