// Lab 10: 1F1B, and what latency does to it. Wrong: predicts a smaller bubble than that of GPipe.
#include <algorithm>
#include <string>

#include "stage.h"

/// Makespan of 1F1B in units of one F, where B = 2 F and messages take no time, for p stages and m microbatches.
double predict(int p, int m) { return 3.0 * (m + (p - 1) / 2.0); }

/// F before the first F that is followed by its B at once; `behind` stages come after this one.
int warm_up(int behind) { return behind; }

/// The same where a message takes as long as an F.
int eager_warm_up(int behind) { return 2 * behind; }

void run(p2p::World& world, Stage& stage, int warm_up) {
  const int m = stage.microbatches(), before = stage.rank() - 1, after = stage.rank() + 1;
  std::vector<p2p::Work> sends;  // nobody waits for a send before the end
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
