// A pipeline, one stage per rank. The schedule is data, a list of actions such as F0 F1 B0 F2 B1 …; each function below
// carries it out with another kind of communication.
#include <array>
#include <stdexcept>

#include "app/schedule/generator.h"
#include "demos/pipeline/stage.h"

using namespace p2p;
using p2plab::schedule::StageOrder;

namespace {

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

// [blocking]
// Compute, then communicate. What one action has made and the next one needs goes out and comes in as one pair when the
// same neighbour has both ends (send_forward_recv_backward in Megatron-LM): so two neighbours never both send first.
void blocking(World& world, Stage& stage, const StageOrder& order) {
  Stream compute = world.stream("compute");
  if (auto first = stage.input(order[0])) world.recv(first->tensor, first->peer, first->tag);
  for (std::size_t k = 0; k < order.size(); ++k) {
    stage.compute(order[k]);
    compute.synchronize();
    auto out = stage.output(order[k]);
    auto in = k + 1 < order.size() ? stage.input(order[k + 1]) : std::nullopt;
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
    auto out = stage.output(order[k]);
    auto in = k + 1 < order.size() ? stage.input(order[k + 1]) : std::nullopt;
    if (out) world.send(out->tensor, out->peer, out->tag);
    if (in) world.recv(in->tensor, in->peer, in->tag);
  }
}
// [end]

using Communication = void (*)(World&, Stage&, const StageOrder&);

Communication communication(std::string_view name) {
  if (name == "overlapped") return overlapped;
  if (name == "nonblocking") return nonblocking;
  if (name == "blocking") return blocking;
  if (name == "blocking-unfused") return blocking_unfused;
  throw std::runtime_error("There is no communication \"" + std::string(name) + "\".");
}

StageOrder order_of(const World& world, const Settings& settings) {
  const auto* generator = p2plab::schedule::find_generator(settings.schedule);
  if (generator == nullptr) throw std::runtime_error("There is no schedule \"" + settings.schedule + "\".");
  return p2plab::schedule::stage_order(*generator, {.shape = {world.size(), settings.microbatches}}, world.rank());
}

void train(World& world) {
  const Settings settings = Settings::of(world);
  const StageOrder order = order_of(world, settings);
  const Communication chosen = communication(settings.communication);
  Stage stage(world, settings);

  // Whether unfused pairs hang depends on what MPI buffers.
  if (chosen == blocking_unfused) {
    const auto limit = world.measure_eager_limit();
    if (world.rank() == 0) world.metric("eager_limit_bytes", static_cast<double>(limit));
  }
  // What does not block is measured against what does, in the same run: the first step is the blocking one.
  const bool compare = settings.iterations > 1 && (chosen == overlapped || chosen == nonblocking);
  if (compare && world.rank() == 0) world.metric("baseline_iteration", 0);

  // Threads and their first touch of memory belong to no step.
  if (chosen == overlapped) {
    for (const char* name : {"compute", "comm in", "comm"}) world.stream(name).record().synchronize();
  }

  for (int i = 0; i < settings.iterations; ++i) {
    const bool last = i + 1 == settings.iterations;
    const bool baseline = compare && i == 0;
    world.barrier();
    const auto span = world.span(last ? "measured step" : baseline ? "blocking step" : "step before");
    stage.begin_step(last);
    (baseline ? blocking : chosen)(world, stage, order);
    stage.optimize();
  }

  Tensor error = Tensor::zeros({1});
  error.f32()[0] = stage.gradient_error();
  world.all_reduce(error, Reduce::max);
  if (world.rank() == 0) world.metric("grad_error", error.f32()[0]);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, train); }
