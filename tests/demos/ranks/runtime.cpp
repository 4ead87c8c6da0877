// The rank program of runtime_test.cpp: each case uses one part of the runtime and throws when an answer is wrong.
#include <array>
#include <atomic>
#include <cmath>
#include <fstream>
#include <map>
#include <stdexcept>

#include "demos/p2p/backend.h"
#include "demos/p2p/world.h"

using namespace p2p;

namespace {

void expect(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string("wrong: ") + what);
}

Tensor filled(std::int64_t count, float value) {
  Tensor tensor = Tensor::zeros({count});
  for (float& x : tensor.f32()) x = value;
  return tensor;
}

bool all_are(const Tensor& tensor, float value) {
  for (const float x : tensor.f32()) {
    if (x != value) return false;
  }
  return true;
}

void messages(World& world) {
  const int peer = 1 - world.rank();
  // Same tag: first sent, first received. Another tag: chosen by the receiver.
  std::array<Tensor, 3> out{filled(3, 1), filled(3, 2), filled(3, 3)};
  std::array<Tensor, 3> in{filled(3, 0), filled(3, 0), filled(3, 0)};
  std::vector<Work> works;
  works.push_back(world.isend(out[0], peer, 5));
  works.push_back(world.isend(out[1], peer, 5));
  works.push_back(world.isend(out[2], peer, 6));
  works.push_back(world.irecv(in[2], peer, 6));
  works.push_back(world.irecv(in[0], peer, 5));
  works.push_back(world.irecv(in[1], peer, 5));
  world.wait_all(works);
  for (std::size_t i = 0; i < 3; ++i) expect(all_are(in[i], static_cast<float>(i + 1)), "order of messages");
  const std::array<P2POp, 2> both{{{P2POp::Type::isend, out[0], peer, 7}, {P2POp::Type::irecv, in[2], peer, 7}}};
  Work exchange = world.batch_isend_irecv(both);
  while (!exchange.is_completed()) {
  }
  exchange.wait();
  expect(all_are(in[2], 1), "batch_isend_irecv");
  if (world.rank() == 0) world.send(out[1], peer);
  if (world.rank() == 1) {
    world.recv(in[0], peer);
    expect(all_are(in[0], 2), "send and recv");
  }
}

void collectives(World& world) {
  const auto rank = static_cast<float>(world.rank());
  const auto n = static_cast<float>(world.size());
  Tensor sum = filled(4, rank);
  world.all_reduce(sum);
  expect(all_are(sum, n * (n - 1) / 2), "all_reduce sum");
  Tensor most = filled(4, rank);
  world.all_reduce(most, Reduce::max);
  expect(all_are(most, n - 1), "all_reduce max");
  Tensor from_last = filled(4, rank);
  world.broadcast(from_last, world.size() - 1);
  expect(all_are(from_last, n - 1), "broadcast");
  Tensor all = Tensor::zeros({world.size(), 2});
  world.all_gather(all, filled(2, rank));
  for (int r = 0; r < world.size(); ++r) expect(all.f32()[static_cast<std::size_t>(2 * r)] == static_cast<float>(r), "all_gather");
  Tensor part = Tensor::zeros({2});
  world.reduce_scatter(part, all);
  expect(all_are(part, n * rank), "reduce_scatter");
  Tensor mine = Tensor::zeros({world.size()});
  for (std::size_t i = 0; i < mine.numel(); ++i) mine.f32()[i] = 10 * rank + static_cast<float>(i);
  Tensor theirs = Tensor::zeros({world.size()});
  world.all_to_all(theirs, mine);
  for (std::size_t i = 0; i < theirs.numel(); ++i) expect(theirs.f32()[i] == 10 * static_cast<float>(i) + rank, "all_to_all");
  world.barrier();
}

// compute -> event -> send on comm -> receive on comm -> event -> compute: no wait on the calling thread but the last.
void streams(World& world) {
  Stream compute = world.stream("compute");
  Stream comm = world.stream("comm");
  Tensor value = filled(1000, 0);
  Tensor result = filled(1000, 0);
  ComputeLabel label;
  label.kind = Kind::forward;
  label.microbatch = 3;
  if (world.rank() == 0) {
    world.compute(label, std::chrono::milliseconds(5), [&] {
      for (float& x : value.f32()) x = 7;
    });
    comm.wait(compute.record());
    Work sending = world.isend(value, 1, 0, &comm);
    comm.synchronize();
    sending.wait();
    expect(sending.is_completed(), "a stream's work is complete after synchronize");
  } else {
    Work receiving = world.irecv(value, 0, 0, &comm);
    compute.wait(comm.record());
    world.compute(label, std::chrono::milliseconds(5), [&] {
      for (std::size_t i = 0; i < value.numel(); ++i) result.f32()[i] = 2 * value.f32()[i];
    });
    Event done = compute.record();
    done.synchronize();
    expect(done.query(), "query after synchronize");
    expect(all_are(result, 14), "the chain of streams and events");
    receiving.wait();
  }
}

// Under nccl semantics the host goes on at once, and the stream compute waits.
void nccl(World& world) {
  expect(world.nccl_semantics(), "this case needs --semantics nccl");
  Tensor value = filled(1 << 18, static_cast<float>(world.rank() + 1));
  Tensor got = filled(1 << 18, 0);
  bool right = false;
  const std::array<P2POp, 2> both{{{P2POp::Type::isend, value, 1 - world.rank()}, {P2POp::Type::irecv, got, 1 - world.rank()}}};
  Work exchange = world.batch_isend_irecv(both);
  exchange.wait();
  world.compute({}, std::chrono::milliseconds(1), [&] { right = all_are(got, static_cast<float>(2 - world.rank())); });
  world.stream("compute").synchronize();
  expect(right, "compute runs after the exchange");
  world.all_reduce(value);
  world.compute({}, std::chrono::milliseconds(1), [&] { right = all_are(value, 3); });
  world.stream("compute").synchronize();
  expect(right, "all_reduce on the streams");
}

// Two messages over the link; the receiver says how long each took from a common start.
void link(World& world) {
  Tensor a = Tensor::bytes_of(100'000);
  Tensor b = Tensor::bytes_of(100'000);
  world.barrier();
  if (world.rank() == 0) {
    Work first = world.isend(a, 1);
    Work second = world.isend(b, 1);
    first.wait();
    second.wait();
  } else {
    Work first = world.irecv(a, 0);
    Work second = world.irecv(b, 0);
    first.wait();
    second.wait();
  }
}

void bad_peer(World& world) {
  Tensor a = Tensor::bytes_of(48);
  world.isend(a, world.size() + 3, 9).wait();
}

void truncated(World& world) {
  Tensor a = Tensor::bytes_of(world.rank() == 0 ? 64 : 16);
  if (world.rank() == 0) world.send(a, 1, 4);
  if (world.rank() == 1) world.recv(a, 0, 4);
  world.barrier();
}

void steps(World& world) {
  for (int i = 0; i < 3; ++i) world.barrier();
}

void forever(World& world) {
  Tensor a = Tensor::bytes_of(8);
  if (world.rank() == 0) world.recv(a, 1);
  if (world.rank() == 1) {
    for (;;) world.pause(std::chrono::milliseconds(1), "alive");
  }
}

/// The second stream could send at once, and the messages come in the order in which they were enqueued.
void two_streams(World& world) {
  constexpr float kFirst = 1, kSecond = 2;
  Tensor first = Tensor::of(std::array{kFirst}), second = Tensor::of(std::array{kSecond});
  Stream one = world.stream("one"), other = world.stream("other");
  if (world.rank() == 0) {
    world.compute({Kind::compute, "hold"}, std::chrono::milliseconds(100), {}, &one);
    world.isend(first, 1, 0, &one);
    world.isend(second, 1, 0, &other);
  } else {
    Tensor in[2]{Tensor::zeros({1}), Tensor::zeros({1})};
    for (Tensor& tensor : in) world.irecv(tensor, 0, 0, &one);
    one.synchronize();
    expect(in[0].host().f32()[0] == kFirst && in[1].host().f32()[0] == kSecond, "order of messages of two streams");
  }
  one.synchronize();
  other.synchronize();
}

/// More on one stream than a GPU's queue holds: the caller waits there until the messages before have gone. Between them lie
/// more and fewer kernels, so that it waits now in the one call, now in the other.
void full_stream(World& world) {
  constexpr std::size_t kMessages = 600;
  Tensor tensor = Tensor::zeros({1});
  Stream one = world.stream("one");
  for (std::size_t i = 0; i < kMessages; ++i) {
    world.rank() == 0 ? world.isend(tensor, 1, 0, &one) : world.irecv(tensor, 0, 0, &one);
    world.launch({Kind::compute, "set"}, {}, std::vector<Kernel>(i % 6, {kernels::Set{reinterpret_cast<float*>(tensor.data()), 0}, 1}), &one);
  }
  one.synchronize();
}

/// Each copies behind a message that the other will never send.
void clone_behind(World& world) {
  Tensor tensor = Tensor::zeros({1});
  Stream compute = world.stream("compute");
  world.irecv(tensor, 1 - world.rank(), 0, &compute);
  const Tensor copy = tensor.clone();
}

/// Each waits for a message that the other will never send, and the last ones to say anything are their streams.
void late_wait(World& world) {
  Tensor tensor = Tensor::zeros({1});
  world.recv(tensor, 1 - world.rank());
}

/// What a reader of the kernel's latency limit is told is the strictest of all that are asked for.
void awake(World& world) {
  std::int32_t limit_us = -1;
  std::ifstream("/dev/cpu_dma_latency", std::ios::binary).read(reinterpret_cast<char*>(&limit_us), sizeof limit_us);
  expect(limit_us == 0, "idle cores may sleep while ranks run on the real clock");
  world.barrier();
}

/// No messages: what every backend without streams of its own inherits.
class Bare final : public Backend {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string library() const override { return "none"; }
  std::unique_ptr<Pending> send(const Transfer&) override { return nullptr; }
  std::unique_ptr<Pending> receive(const Transfer&) override { return nullptr; }
  std::unique_ptr<Pending> collective(const Collective&) override { return nullptr; }
  std::uint64_t measure_eager_limit() override { return 0; }
};

/// A stream that was given work never looks out of work, however late its thread wakes.
void given_work(World&) {
  constexpr int kTimes = 500;
  std::atomic<bool> idle{false}, looked{false};
  Bare backend;
  const auto stream = backend.make_executor("stream", {[] {}, [&] { idle = true; }, [&] { idle = false; }, [] {}});
  for (int i = 0; i < kTimes; ++i) {
    while (!idle) {
    }
    looked = false;
    stream->enqueue([&] {
      while (!looked) {
      }
    });
    const bool out_of_work = idle;
    looked = true;
    expect(!out_of_work, "a stream with a task says that it is out of work");
  }
}

const std::map<std::string, void (*)(World&), std::less<>> kCases{
    {"messages", messages}, {"collectives", collectives}, {"streams", streams}, {"nccl", nccl},   {"link", link},
    {"bad-peer", bad_peer}, {"truncated", truncated},     {"steps", steps},     {"forever", forever},
    {"two-streams", two_streams}, {"full-stream", full_stream}, {"clone-behind", clone_behind}, {"late-wait", late_wait}, {"awake", awake}, {"given-work", given_work}};

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [](World& world) { kCases.at(world.knob("case", ""))(world); });
}
