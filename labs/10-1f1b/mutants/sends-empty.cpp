// Lab 10: 1F1B, and what latency does to it. Wrong: empty messages; each stage works out for itself what the others would send.
#include <algorithm>
#include <string>

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

/// Makespan of 1F1B in units of one F, where B = 2 F and messages take no time, for p stages and m microbatches.
double predict(int p, int m) { return 3.0 * (m + p - 1); }

/// F before the first F that is followed by its B at once; `behind` stages come after this one.
int warm_up(int behind) { return behind; }

/// The same where a message takes as long as an F.
int eager_warm_up(int behind) { return 2 * behind; }

void run(p2p::World& world, Stage& stage, int warm_up) {
  const int m = stage.microbatches(), before = stage.rank() - 1, after = stage.rank() + 1;
  p2p::Tensor nothing = p2p::Tensor::bytes_of(0);
  Home home(world, stage);
  for (int i = 0; i < stage.microbatches(); ++i) home.fill(i, stage);
  std::vector<p2p::Work> sends;  // nobody waits for a send before the end
  const auto forward = [&](int i) {
    if (!stage.first()) world.recv(nothing, before, i);
    stage.forward(i);
    if (!stage.last()) sends.push_back(world.isend(nothing, after, i));
  };
  const auto backward = [&](int i) {
    if (!stage.last()) world.recv(nothing, after, i);
    stage.backward(i);
    if (!stage.first()) sends.push_back(world.isend(nothing, before, i));
  };
  warm_up = std::min(warm_up, m);
  for (int i = 0; i < warm_up; ++i) forward(i);
  for (int i = 0; i < m; ++i) {  // one F, one B
    if (i + warm_up < m) forward(i + warm_up);
    backward(i);
  }
  world.wait_all(sends);
}

void train_step(p2p::World& world, Stage& stage) {
  const double unit_ns = 1e6;  // one F; one B is two
  if (stage.first()) world.metric("predicted_makespan_ns", predict(stage.stages(), stage.microbatches()) * unit_ns);
  const int behind = stage.stages() - stage.rank() - 1;
  const bool eager = world.knob("schedule", "1f1b") == "eager";
  run(world, stage, eager ? eager_warm_up(behind) : warm_up(behind));
}
