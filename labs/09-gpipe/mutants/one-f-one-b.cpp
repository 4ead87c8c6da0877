// Lab 9: GPipe. Wrong: 1F1B under the name of GPipe.
#include "stage.h"

#include <algorithm>

void train_step(p2p::World& world, Stage& stage) {
  const int m = stage.microbatches(), before = stage.rank() - 1, after = stage.rank() + 1;
  std::vector<p2p::Work> sends;
  const auto forward = [&](int i) {
    if (!stage.first()) world.recv(stage.x(i), before, i);
    stage.forward(i);
    if (!stage.last()) sends.push_back(world.isend(stage.y(i), after, i));
  };
  const auto backward = [&](int i) {
    if (!stage.last()) world.recv(stage.dy(i), after, i);
    stage.backward(i);
    if (!stage.first()) sends.push_back(world.isend(stage.dx(i), before, i));
  };
  const int warm_up = std::min(m, stage.stages() - stage.rank() - 1);
  for (int i = 0; i < warm_up; ++i) forward(i);
  for (int i = 0; i < m; ++i) {
    if (i + warm_up < m) forward(i + warm_up);
    backward(i);
  }
  world.wait_all(sends);
}
