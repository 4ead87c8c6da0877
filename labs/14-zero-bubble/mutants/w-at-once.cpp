// Lab 14: zero bubble. Wrong: in H1 each W follows its B at once.
#include <algorithm>
#include <string>

#include "stage.h"

struct Task {
  char what;       // 'F', 'B' (the gradient of the input alone) or 'W' (the gradient of the weights)
  int microbatch;
};

/// The tasks of one stage in order. `behind` stages come after it, `ahead` before it; m microbatches.
std::vector<Task> plan(int ahead, int behind, int m, bool h2) {
  // More warm-up closes the ramp up; W held back close the ramp down.
  const int warm_up = std::min(h2 ? 2 * behind : behind, m), held_back = h2 ? 2 * ahead : 0;
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
  const int before = stage.rank() - 1, after = stage.rank() + 1;
  if (stage.first()) world.metric("bubble_over_total", bubble_over_total());
  std::vector<p2p::Work> sends;
  for (const Task& task : plan(stage.rank(), stage.stages() - 1 - stage.rank(), stage.microbatches(), world.knob("plan", "h1") == "h2")) {
    const int i = task.microbatch;
    if (task.what == 'F') {
      if (!stage.first()) world.recv(stage.x(i), before, i);
      stage.forward(i);
      if (!stage.last()) sends.push_back(world.isend(stage.y(i), after, i));
    } else if (task.what == 'B') {
      if (!stage.last()) world.recv(stage.dy(i), after, i);
      stage.input_gradient(i);
      if (!stage.first()) sends.push_back(world.isend(stage.dx(i), before, i));
    } else {
      stage.weight_gradient(i);
    }
  }
  world.wait_all(sends);
}
