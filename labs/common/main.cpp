// Given by the lab; not to be changed. Runs the steps and hands over the gradients.
#include <algorithm>
#include <string>

#include "stage.h"

namespace {

int number(const p2p::World& world, const char* knob, std::int64_t fallback) { return static_cast<int>(world.knob(knob, fallback)); }
std::chrono::nanoseconds time(const p2p::World& world, const char* knob, std::int64_t us) { return std::chrono::microseconds(number(world, knob, us)); }

}  // namespace

Stage::Stage(p2p::World& world)
    : world_(world),
      rank_(world.rank()),
      stages_(world.size()),
      microbatches_(number(world, "microbatches", 8)),
      forward_(time(world, "forward_us", 1000)),
      backward_(time(world, "backward_us", 2000)),
      weight_(time(world, "weight_us", 1000)),
      data_(kSamples * static_cast<std::size_t>(microbatches_), world.seed()),
      layer_(rank_, world.seed()) {
  const auto message = [] { return p2p::Tensor::zeros({static_cast<std::int64_t>(kValues)}); };
  for (int i = 0; i < microbatches_; ++i) tensors_.push_back({message(), message(), message(), message()});
  if (!first()) return;
  for (int i = 0; i < microbatches_; ++i) std::copy_n(data_.input.begin() + static_cast<std::ptrdiff_t>(kValues * static_cast<std::size_t>(i)), kValues, x(i).f32().begin());
}

void Stage::run(p2p::Kind kind, int i, std::chrono::nanoseconds time, const std::function<void()>& body) {
  world_.compute({kind, {}, i, -1, rank_}, time, body);
  world_.stream("compute").synchronize();
}

void Stage::forward(int i) {
  run(p2p::Kind::forward, i, forward_, [&] { layer_.forward(x(i).f32(), y(i).f32()); });
}

void Stage::loss(int i) {
  if (last()) loss_gradient(y(i).f32(), ConstBatch(data_.target).subspan(kValues * static_cast<std::size_t>(i), kValues), data_.target.size() / kWidth, dy(i).f32());
}

void Stage::backward(int i) {
  run(p2p::Kind::backward, i, backward_, [&] {
    loss(i);
    layer_.input_gradient(y(i).f32(), dy(i).f32(), dx(i).f32());
    layer_.add_weight_gradient(x(i).f32(), y(i).f32(), dy(i).f32());
  });
}

void Stage::input_gradient(int i) {
  run(p2p::Kind::backward, i, backward_, [&] {
    loss(i);
    layer_.input_gradient(y(i).f32(), dy(i).f32(), dx(i).f32());
  });
}

void Stage::weight_gradient(int i) {
  run(p2p::Kind::weight, i, weight_, [&] { layer_.add_weight_gradient(x(i).f32(), y(i).f32(), dy(i).f32()); });
}

void Stage::begin_step() { layer_.clear(); }

void Stage::report() {
  const std::string name = "gradient/" + std::to_string(rank_);
  world_.metric(name + "/weight", digest(layer_.weight_gradient));
  world_.metric(name + "/bias", digest(layer_.bias_gradient));
}

int main(int argc, char** argv) {
  return p2p::run(argc, argv, [](p2p::World& world) {
    Stage stage(world);
    world.barrier();
    for (int i = 0; i < number(world, "iterations", 1); ++i) {
      stage.begin_step();
      train_step(world, stage);
    }
    stage.report();
  });
}
