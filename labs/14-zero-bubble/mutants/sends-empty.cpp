// Lab 14: zero bubble. Wrong: empty messages; each stage works out for itself what the others would send.
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

struct Task {
  char what;       // 'F', 'B' (the gradient of the input alone) or 'W' (the gradient of the weights)
  int microbatch;
};

/// The tasks of one stage in order. `behind` stages come after it, `ahead` before it; m microbatches.
std::vector<Task> plan(int ahead, int behind, int m, bool h2) {
  // More warm-up closes the ramp up; W held back close the ramp down.
  const int warm_up = std::min(h2 ? 2 * behind : behind, m), held_back = h2 ? 2 * ahead : ahead;
  std::vector<Task> out;
  for (int i = 0; i < warm_up; ++i) out.push_back({'F', i});
  int weights = 0;
  for (int i = 0; i < m; ++i) {
    if (warm_up + i < m) out.push_back({'F', warm_up + i});
    out.push_back({'B', i});
    if (i - weights >= held_back || warm_up + i >= m) out.push_back({'W', weights++});
  }
  while (weights < m) out.push_back({'W', weights++});
  return out;
}

/// Bubble of H1 for p = 4, m = 8 and F = B = W, as idle time over total time.
double bubble_over_total() { return 3.0 / 27.0; }

/// Runs a plan; nobody waits for a send before the end.
void train_step(p2p::World& world, Stage& stage) {
  p2p::Tensor nothing = p2p::Tensor::bytes_of(0);
  Home home(world, stage);
  for (int i = 0; i < stage.microbatches(); ++i) home.fill(i, stage);
  const int before = stage.rank() - 1, after = stage.rank() + 1;
  if (stage.first()) world.metric("bubble_over_total", bubble_over_total());
  std::vector<p2p::Work> sends;
  for (const Task& task : plan(stage.rank(), stage.stages() - 1 - stage.rank(), stage.microbatches(), world.knob("plan", "h1") == "h2")) {
    const int i = task.microbatch;
    if (task.what == 'F') {
      if (!stage.first()) world.recv(nothing, before, i);
      stage.forward(i);
      if (!stage.last()) sends.push_back(world.isend(nothing, after, i));
    } else if (task.what == 'B') {
      if (!stage.last()) world.recv(nothing, after, i);
      stage.input_gradient(i);
      if (!stage.first()) sends.push_back(world.isend(nothing, before, i));
    } else {
      stage.weight_gradient(i);
    }
  }
  world.wait_all(sends);
}
