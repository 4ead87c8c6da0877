// How long does a message of n bytes take? Rank 0 and rank 1 play ping-pong over a sweep of sizes; half a round trip is
// the time of one message, t(n) = alpha + n / beta. Further ranks only look on.
#include <array>
#include <map>
#include <stdexcept>
#include <string>

#include "demos/latency-bandwidth/sweep.h"
#include "demos/p2p/results.h"
#include "demos/p2p/rules.h"
#include "demos/p2p/world.h"

using namespace p2p;

namespace {

constexpr int kWarmUp = 3;  ///< rounds of each size that are not measured: connections, first touch of memory

/// Messages under way at once: 16, fewer of large ones, so that they need no more than 128 MiB.
std::size_t window_of(std::size_t bytes) { return bytes > (8U << 20) ? 2 : 16; }

// [ping-pong]
double ping_pong(World& world, Tensor& ball, int peer) {
  const std::int64_t begin = world.now_ns();
  if (world.rank() == 0) {
    world.send(ball, peer);
    world.recv(ball, peer);
  } else {
    world.recv(ball, peer);
    world.send(ball, peer);
  }
  finish(world);  // under NCCL's rules so far only enqueued
  return static_cast<double>(world.now_ns() - begin) / 2;  // there and back
}
// [end]

// [window]
double window(World& world, Tensor& data, int peer) {
  Tensor ack = Tensor::bytes_of(1);
  std::vector<Tensor> buffers{data};
  while (buffers.size() < window_of(data.nbytes())) buffers.push_back(data.clone());
  std::vector<Work> messages;
  const std::int64_t begin = world.now_ns();
  for (Tensor& buffer : buffers)  // the next one leaves before the last one has arrived
    messages.push_back(world.rank() == 0 ? world.isend(buffer, peer) : world.irecv(buffer, peer));
  world.wait_all(messages);
  if (world.rank() == 0) world.recv(ack, peer);  // the last one has arrived
  else world.send(ack, peer);
  finish(world);
  return static_cast<double>(world.now_ns() - begin) / static_cast<double>(buffers.size());
}
// [end]

// [both-ways]
double both_ways(World& world, Tensor& mine, int peer) {
  Tensor theirs = Tensor::bytes_of(mine.nbytes());
  const std::array<P2POp, 2> both{{{P2POp::Type::isend, mine, peer}, {P2POp::Type::irecv, theirs, peer}}};
  const std::int64_t begin = world.now_ns();
  world.sendrecv(both);  // n bytes each way at the same time
  finish(world);
  return static_cast<double>(world.now_ns() - begin);
}
// [end]

using Round = double (*)(World&, Tensor&, int);
const std::map<std::string, Round, std::less<>> kRounds{{"ping-pong", ping_pong}, {"window", window}, {"both-ways", both_ways}};

std::byte byte_of(std::size_t i, std::uint64_t seed) { return static_cast<std::byte>((i * 31 + seed) & 0xFF); }

void fill(Tensor& tensor, std::uint64_t seed) {
  std::vector<std::byte> bytes(tensor.nbytes());
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = byte_of(i, seed);
  tensor.put(bytes);
}
void check(const Tensor& tensor, std::uint64_t seed) {
  const Tensor here = tensor.host();
  for (std::size_t i = 0; i < here.nbytes(); i += 1 + here.nbytes() / 64)
    if (here.bytes()[i] != byte_of(i, seed)) throw std::runtime_error("A message arrived with wrong bytes.");
}

/// The table that users of osu_latency and nccl-tests know: one row a size.
void sweep(World& world, const std::vector<std::uint64_t>& sizes, Round round, int iterations) {
  for (const std::uint64_t bytes : sizes) {
    world.barrier();  // who only looks on stays with the others
    if (world.rank() > 1) continue;
    Tensor ball = Tensor::bytes_of(bytes);
    fill(ball, world.seed());
    for (int i = 0; i < kWarmUp; ++i) round(world, ball, 1 - world.rank());
    std::vector<double> times;
    for (int i = 0; i < repetitions(bytes, iterations); ++i) times.push_back(round(world, ball, 1 - world.rank()));
    check(ball, world.seed());
    let_lab_catch_up();
    if (world.rank() != 0) continue;
    const Spread t = spread(times);
    const double bandwidth = t.median > 0 ? static_cast<double>(bytes) / t.median * 1e9 : 0;
    row(world, "table", {{"bytes", bytes}, {"count", times.size()}, {"lowest_ns", t.lowest}, {"p10_ns", t.p10}, {"median_ns", t.median}, {"p90_ns", t.p90},
                         {"algbw_bytes_per_s", bandwidth}, {"busbw_bytes_per_s", bandwidth}});
  }
}

/// How long the sender's calls took, if the receiver comes late.
struct Returned {
  double send_ns = 0, wait_ns = 0;
};

// [late-receiver]
Returned blocking_send(World& world, Tensor& data) {
  const std::int64_t begin = world.now_ns();
  world.send(data, 1);  // the buffer may be reused: that is all that its return says
  finish(world);        // (under NCCL's rules: that the stream has come past it)
  return {static_cast<double>(world.now_ns() - begin), 0};
}
// [end]

// [late-isend]
Returned nonblocking_send(World& world, Tensor& data) {
  const std::int64_t begin = world.now_ns();
  Work work = world.isend(data, 1);  // posted
  const std::int64_t posted = world.now_ns();
  work.wait();  // under MPI's rules for the buffer; under NCCL's it is the stream that waits, and the caller goes on
  return {static_cast<double>(posted - begin), static_cast<double>(world.now_ns() - posted)};
}
// [end]

void late_receivers(World& world, const std::vector<std::uint64_t>& sizes, std::chrono::milliseconds delay, Returned (*send)(World&, Tensor&)) {
  for (const std::uint64_t bytes : sizes) {
    Tensor data = Tensor::bytes_of(bytes);
    fill(data, world.seed());
    world.barrier();
    Returned returned;
    if (world.rank() == 0) returned = send(world, data);
    if (world.rank() == 1) {
      world.pause(delay, "the receiver is busy");
      world.recv(data, 0);
    }
    finish(world);
    if (world.rank() == 1) check(data, world.seed());
    if (world.rank() != 0) continue;
    row(world, "table", {{"bytes", bytes}, {"send_ns", returned.send_ns}, {"wait_ns", returned.wait_ns}});
    if (bytes == sizes.front()) world.metric("send_smallest_ns", returned.send_ns);
    if (bytes != sizes.back()) continue;
    world.metric("send_largest_ns", returned.send_ns);
    if (send == nonblocking_send) world.metric("wait_largest_ns", returned.wait_ns);
  }
}

void measure(World& world) {
  const auto variant = world.knob("variant", "ping-pong");
  const auto smallest = static_cast<std::uint64_t>(world.knob("min_bytes", 0)), largest = static_cast<std::uint64_t>(world.knob("max_bytes", 64 << 20));
  const std::uint64_t eager_limit = world.measure_eager_limit();
  if (world.rank() == 0) world.metric("eager_limit_bytes", static_cast<double>(eager_limit));
  // The step from eager to rendezvous lies between these two.
  const std::vector<std::uint64_t> step{eager_limit, eager_limit + 1};
  if (variant == "late-receiver" || variant == "late-isend") {
    const std::chrono::milliseconds delay(world.knob("receiver_delay_ms", 20));
    return late_receivers(world, sweep_sizes(smallest, largest, step), delay, variant == "late-isend" ? nonblocking_send : blocking_send);
  }
  const auto round = kRounds.find(variant);
  if (round == kRounds.end()) throw std::runtime_error("The demo latency-bandwidth has no variant '" + variant + "'; see p2plab demos.");
  sweep(world, sweep_sizes(smallest, largest, step), round->second, static_cast<int>(world.knob("iterations", 100)));
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, measure); }
