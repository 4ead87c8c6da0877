// A pipeline, one stage per rank. The schedule is data, a list of actions such as F0 F1 B0 F2 B1 …; each function below
// carries it out with another kind of communication.
#include <array>
#include <stdexcept>

#include "app/schedule/generator.h"
#include "demos/pipeline/stage.h"

using namespace p2p;
using p2plab::schedule::Generator;
using p2plab::schedule::Op;
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

/// The message that the action after this one needs; W in between needs none.
std::optional<P2POp> next_input(Stage& stage, const StageOrder& order, std::size_t k) {
  while (++k < order.size() && order[k].op == Op::weight) {
  }
  return k < order.size() ? stage.input(order[k]) : std::nullopt;
}

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

using Communication = void (*)(World&, Stage&, const StageOrder&);

Communication communication(std::string_view name) {
  if (name == "overlapped") return overlapped;
  if (name == "nonblocking") return nonblocking;
  if (name == "blocking") return blocking;
  if (name == "blocking-unfused") return blocking_unfused;
  throw std::runtime_error("There is no communication \"" + std::string(name) + "\".");
}

const Generator& schedule(const Settings& settings) {
  if (const Generator* generator = p2plab::schedule::find_generator(settings.schedule)) return *generator;
  throw std::runtime_error("There is no schedule \"" + settings.schedule + "\".");
}

void train(World& world) {
  const Settings settings = Settings::of(world);
  const Generator& generator = schedule(settings);
  const p2plab::schedule::Shape shape{world.size(), settings.microbatches, generator.chunks};
  if (generator.needs_multiple && settings.microbatches % world.size() != 0)
    throw std::runtime_error(settings.schedule + " passes microbatches in groups of p: " + std::to_string(settings.microbatches) +
                             " microbatches are no multiple of " + std::to_string(world.size()) + " ranks; set microbatches or --ranks.");
  const StageOrder order = p2plab::schedule::stage_order(generator, {.shape = shape}, world.rank());
  const Communication chosen = communication(settings.communication);
  if (generator.chunks > 1 && (chosen == blocking || chosen == blocking_unfused))
    throw std::runtime_error("With blocking sends " + settings.schedule + " stands still: its messages go round all stages, so no order of sends and "
                             "receives suits everybody; set communication to overlapped or nonblocking.");
  Stage stage(world, settings, p2plab::schedule::Layout(shape, generator.placement));

  // Whether unfused pairs hang depends on what MPI buffers.
  if (chosen == blocking_unfused) {
    const auto limit = world.measure_eager_limit();
    if (world.rank() == 0) world.metric("eager_limit_bytes", static_cast<double>(limit));
  }
  // What does not block is measured against what does, in the same run: the first step is the blocking one.
  const bool compare = settings.iterations > 1 && generator.chunks == 1 && (chosen == overlapped || chosen == nonblocking);
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

  Tensor error = Tensor::of(std::array{stage.gradient_error()});
  world.all_reduce(error, Reduce::max);
  if (world.nccl_semantics()) world.stream("compute").synchronize();
  const Tensor worst = error.host();
  if (world.rank() == 0) world.metric("grad_error", worst.f32()[0]);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, train); }
