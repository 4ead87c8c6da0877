#include "demos/pipeline/train.h"

#include <array>
#include <stdexcept>

using namespace p2p;
using p2plab::schedule::Generator;

const Generator& find_schedule(const std::string& id) {
  if (const Generator* generator = p2plab::schedule::find_generator(id)) return *generator;
  throw std::runtime_error("There is no schedule \"" + id + "\".");
}

double train_step(World& world, Settings settings, const Generator& generator, const Carry& carry, std::string_view name) {
  settings.iterations = 1;
  const p2plab::schedule::Shape shape{world.size(), settings.microbatches, generator.chunks};
  const StageOrder order = p2plab::schedule::stage_order(generator, {.shape = shape}, world.rank());
  Stage stage(world, settings, p2plab::schedule::Layout(shape, generator.placement));
  world.barrier();
  {
    const auto span = world.span(name);
    stage.begin_step(true);
    carry(world, stage, order);
    stage.optimize();
  }
  Tensor error = Tensor::of(std::array{stage.gradient_error()});
  world.all_reduce(error, Reduce::max);
  if (world.nccl_semantics()) world.stream("compute").synchronize();
  return static_cast<double>(error.host().f32()[0]);
}

p2plab::schedule::Simulated expected_step(const Settings& settings, const Generator& generator, int stages, std::chrono::nanoseconds latency) {
  const auto weight = settings.backward / 2;  // a backward that is split is halved
  p2plab::schedule::Costs costs;
  costs.times = {{settings.forward.count(), (settings.backward - weight).count(), weight.count()}};
  costs.link.latency_ns = latency.count();
  return p2plab::schedule::simulate(p2plab::schedule::Program(generator, {.shape = {stages, settings.microbatches, generator.chunks}}), costs);
}
