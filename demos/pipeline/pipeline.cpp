// A pipeline, one stage per rank. The schedule is data, a list of actions such as F0 F1 B0 F2 B1 …; each function below
// carries it out with another kind of communication.
#include "demos/pipeline/pipeline.h"

#include <array>

using namespace p2p;
using p2plab::schedule::Op;

// [overlapped]
// The host only enqueues. Three streams run side by side, and events say what must come first.
void overlapped(World& world, Stage& stage, const StageOrder& order) {
  Stream compute = world.stream("compute"), in = world.stream("comm in"), out = world.stream("comm");
  for (const Action& action : order) {
    if (auto message = stage.input(action)) {
      world.irecv(message->tensor, message->peer, message->tag, &in);  // posted while earlier actions compute
      compute.wait(in.record());
    }
    stage.compute(action);
    if (auto message = stage.output(action)) {
      out.wait(compute.record());
      world.isend(message->tensor, message->peer, message->tag, &out);  // leaves while later actions compute
    }
  }
  compute.synchronize();
  out.synchronize();
}
// [end]

// [nonblocking]
// The host posts one receive ahead and never waits for a send before the end, but it is the host that waits.
void nonblocking(World& world, Stage& stage, const StageOrder& order) {
  Stream compute = world.stream("compute");
  const auto post = [&](std::size_t k) {
    auto message = k < order.size() ? stage.input(order[k]) : std::nullopt;
    return message ? world.irecv(message->tensor, message->peer, message->tag) : Work();
  };
  std::vector<Work> sends;
  Work next = post(0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    Work arriving = next;
    next = post(k + 1);
    if (arriving.defined()) arriving.wait();
    stage.compute(order[k]);
    compute.synchronize();
    if (auto message = stage.output(order[k])) sends.push_back(world.isend(message->tensor, message->peer, message->tag));
  }
  world.wait_all(sends);
}
// [end]

namespace {

/// The message that the action after this one needs; W in between needs none.
std::optional<P2POp> next_input(Stage& stage, const StageOrder& order, std::size_t k) {
  while (++k < order.size() && order[k].op == Op::weight) {
  }
  return k < order.size() ? stage.input(order[k]) : std::nullopt;
}

}  // namespace

// [blocking]
// Compute, then communicate. What one action has made and the next one needs goes out and comes in as one pair when the
// same neighbour has both ends (send_forward_recv_backward in Megatron-LM): so two neighbours never both send first.
void blocking(World& world, Stage& stage, const StageOrder& order) {
  Stream compute = world.stream("compute");
  if (auto first = stage.input(order[0])) world.recv(first->tensor, first->peer, first->tag);
  for (std::size_t k = 0; k < order.size(); ++k) {
    stage.compute(order[k]);
    compute.synchronize();
    if (order[k].op == Op::weight) continue;  // W talks to nobody
    auto out = stage.output(order[k]), in = next_input(stage, order, k);
    if (out && in && out->peer == in->peer) {
      world.sendrecv(std::array{*out, *in});
      continue;
    }
    if (out) world.send(out->tensor, out->peer, out->tag);
    if (in) world.recv(in->tensor, in->peer, in->tag);
  }
}
// [end]

// [blocking-unfused]
// The same without the pairs. In the steady state of 1F1B one stage sends activations down while its neighbour sends
// gradients up; both wait for a receive that stands behind the other's send.
void blocking_unfused(World& world, Stage& stage, const StageOrder& order) {
  Stream compute = world.stream("compute");
  if (auto first = stage.input(order[0])) world.recv(first->tensor, first->peer, first->tag);
  for (std::size_t k = 0; k < order.size(); ++k) {
    stage.compute(order[k]);
    compute.synchronize();
    if (order[k].op == Op::weight) continue;  // W talks to nobody
    auto out = stage.output(order[k]), in = next_input(stage, order, k);
    if (out) world.send(out->tensor, out->peer, out->tag);
    if (in) world.recv(in->tensor, in->peer, in->tag);
  }
}
// [end]
