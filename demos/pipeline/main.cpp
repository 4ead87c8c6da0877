// The demo `pipeline`: the schedule, the communication and the transport that were asked for.
#include <array>
#include <stdexcept>

#include "demos/pipeline/train.h"

using namespace p2p;
using p2plab::schedule::Generator;
using p2plab::schedule::Layout;
using p2plab::schedule::Placement;
using p2plab::schedule::Shape;

namespace {

Carry communication(const Settings& settings, const Generator& generator) {
  if (settings.communication == "overlapped" && generator.placement == Placement::vee) return in_lanes(true);
  if (settings.communication == "overlapped") return overlapped;
  if (settings.communication == "nonblocking") return nonblocking;
  if (settings.communication == "blocking") return blocking;
  if (settings.communication == "blocking-unfused") return blocking_unfused;
  throw std::runtime_error("There is no communication \"" + settings.communication + "\".");
}

Carry transport(World& world, const Settings& settings, const Generator& generator, const Shape& shape) {
  if (settings.transport == "p2p") return communication(settings, generator);
  if (settings.transport == "bcast2") return broadcasts(world, Layout(shape, generator.placement));
  if (settings.transport == "allreduce") return meetings(world, generator, shape);
  throw std::runtime_error("There is no transport \"" + settings.transport + "\".");
}

void train(World& world) {
  const Settings settings = Settings::of(world);
  // Where all stages meet the schedule says when.
  const Generator& generator = find_schedule(settings.transport == "allreduce" ? "allreduce-" + settings.schedule : settings.schedule);
  const Shape shape{world.size(), settings.microbatches, generator.chunks};
  const StageOrder order = p2plab::schedule::stage_order(generator, {.shape = shape}, world.rank());
  const Carry chosen = transport(world, settings, generator, shape);
  Stage stage(world, settings, Layout(shape, generator.placement));

  // Whether unfused pairs hang depends on what MPI buffers.
  const bool unfused = settings.communication == "blocking-unfused";
  if (unfused) {
    const auto limit = world.measure_eager_limit();
    if (world.rank() == 0) world.metric("eager_limit_bytes", static_cast<double>(limit));
  }
  // What does not block is measured against what does, in the same run: the first step is the blocking one.
  const bool streams = settings.communication == "overlapped";
  const bool compare = settings.iterations > 1 && generator.chunks == 1 && settings.transport == "p2p" && (streams || settings.communication == "nonblocking");
  if (compare && world.rank() == 0) world.metric("baseline_iteration", 0);

  // Threads and their first touch of memory belong to no step.
  if (streams) {
    for (const char* name : {"compute", "comm in", "comm"}) world.stream(name).record().synchronize();
  }

  for (int i = 0; i < settings.iterations; ++i) {
    const bool last = i + 1 == settings.iterations;
    const bool baseline = compare && i == 0;
    world.barrier();
    const auto span = world.span(last ? "measured step" : baseline ? "blocking step" : "step before");
    stage.begin_step(last);
    if (baseline) blocking(world, stage, order);
    else chosen(world, stage, order);
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
