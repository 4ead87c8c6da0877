// Lab 9: GPipe. Wrong: no messages; each stage works out for itself what the others would send, and waits as if.
#include <algorithm>

#include "stage.h"

/// What the stages before make of the data, and what the loss sends back through those behind: all of it worked out here.
class Home {
 public:
  Home(const p2p::World& world, const Stage& stage) : p_(stage.stages()), rank_(stage.rank()), data_(kSamples * static_cast<std::size_t>(stage.microbatches()), world.seed()) {
    for (int s = 0; s < p_; ++s) layers_.emplace_back(s, world.seed());
  }
  void fill(int i, Stage& stage) {
    std::vector<std::vector<float>> at(static_cast<std::size_t>(p_) + 1, std::vector<float>(kValues)), back = at;
    const auto first = static_cast<std::ptrdiff_t>(kValues) * i;
    std::copy_n(data_.input.begin() + first, kValues, at[0].begin());
    for (std::size_t s = 0; s < layers_.size(); ++s) layers_[s].forward(at[s], at[s + 1]);
    loss_gradient(at.back(), ConstBatch(data_.target).subspan(static_cast<std::size_t>(first), kValues), data_.target.size() / kWidth, back.back());
    for (std::size_t s = layers_.size(); s-- > 0;) layers_[s].input_gradient(at[s + 1], back[s + 1], back[s]);
    const auto own = static_cast<std::size_t>(rank_);
    if (!stage.first()) std::copy_n(at[own].begin(), kValues, stage.x(i).f32().begin());
    if (!stage.last()) std::copy_n(back[own + 1].begin(), kValues, stage.dy(i).f32().begin());
  }

 private:
  int p_, rank_;
  Data data_;
  std::vector<Layer> layers_;
};

void train_step(p2p::World& world, Stage& stage) {
  const int m = stage.microbatches(), behind = stage.stages() - 1 - stage.rank();
  const auto us = [&](const char* knob) { return std::chrono::microseconds(world.knob(knob, std::int64_t{1000})); };
  Home home(world, stage);
  for (int i = 0; i < m; ++i) home.fill(i, stage);
  if (!stage.first()) world.pause(stage.rank() * us("forward_us"), "as if for the stages before");
  for (int i = 0; i < m; ++i) stage.forward(i);
  if (!stage.last()) world.pause(behind * (us("forward_us") + us("backward_us")), "as if for those behind");
  for (int i = 0; i < m; ++i) stage.backward(i);
}
