// Given by the lab; not to be changed. Runs the step and hands over the gradients.
#include <algorithm>
#include <string>

#include "chunks.h"

namespace {

int number(const p2p::World& world, const char* knob, std::int64_t fallback) { return static_cast<int>(world.knob(knob, fallback)); }
std::ptrdiff_t first_value(int i) { return static_cast<std::ptrdiff_t>(kValues) * i; }

}  // namespace

Chunks::Chunks(p2p::World& world)
    : world_(world),
      rank_(world.rank()),
      ranks_(world.size()),
      chunks_(number(world, "chunks", 2)),
      microbatches_(number(world, "microbatches", 8)),
      forward_us_(world.knob("forward_us", std::int64_t{1000}) / chunks_),
      backward_us_(world.knob("backward_us", std::int64_t{2000}) / chunks_),
      data_(kSamples * static_cast<std::size_t>(microbatches_), world.seed()) {
  const auto message = [] { return p2p::Tensor::zeros({static_cast<std::int64_t>(kValues)}); };
  for (int chunk = 0; chunk < chunks_; ++chunk) {
    layers_.emplace_back(part(chunk), world.seed());
    for (int i = 0; i < microbatches_; ++i) {
      Tensors tensors{message(), message(), message(), message()};
      if (part(chunk) == 0) std::copy_n(data_.input.begin() + first_value(i), kValues, tensors.x.f32().begin());
      tensors_.emplace(std::pair(chunk, i), std::move(tensors));
    }
  }
}

void Chunks::run(p2p::Kind kind, int chunk, int i, std::int64_t us, const std::function<void()>& body) {
  world_.compute({kind, {}, i, chunk, part(chunk)}, std::chrono::microseconds(us), body);
  world_.stream("compute").synchronize();
}

void Chunks::forward(int chunk, int i) {
  run(p2p::Kind::forward, chunk, i, forward_us_, [&] { layers_[static_cast<std::size_t>(chunk)].forward(x(chunk, i).f32(), y(chunk, i).f32()); });
}

void Chunks::backward(int chunk, int i) {
  run(p2p::Kind::backward, chunk, i, backward_us_, [&] {
    Layer& layer = layers_[static_cast<std::size_t>(chunk)];
    if (part(chunk) + 1 == parts())
      loss_gradient(y(chunk, i).f32(), ConstBatch(data_.target).subspan(static_cast<std::size_t>(first_value(i)), kValues), data_.target.size() / kWidth, dy(chunk, i).f32());
    layer.input_gradient(y(chunk, i).f32(), dy(chunk, i).f32(), dx(chunk, i).f32());
    layer.add_weight_gradient(x(chunk, i).f32(), y(chunk, i).f32(), dy(chunk, i).f32());
  });
}

void Chunks::report() {
  for (int chunk = 0; chunk < chunks_; ++chunk) {
    const std::string name = "gradient/" + std::to_string(part(chunk));
    world_.metric(name + "/weight", digest(layers_[static_cast<std::size_t>(chunk)].weight_gradient));
    world_.metric(name + "/bias", digest(layers_[static_cast<std::size_t>(chunk)].bias_gradient));
  }
}

int main(int argc, char** argv) {
  return p2p::run(argc, argv, [](p2p::World& world) {
    Chunks chunks(world);
    train_step(world, chunks);
    chunks.report();
  });
}
