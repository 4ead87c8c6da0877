// Lab 9: GPipe. One microbatch at a time: three stages of four stand idle. See TASK.md.
#include "stage.h"

void train_step(p2p::World& world, Stage& stage) {
  const int m = stage.microbatches(), before = stage.rank() - 1, after = stage.rank() + 1;
  // TODO: a microbatch need not be back before the next one leaves.
  for (int i = 0; i < m; ++i) {
    if (!stage.first()) world.recv(stage.x(i), before, i);
    stage.forward(i);
    if (!stage.last()) world.send(stage.y(i), after, i);
    if (!stage.last()) world.recv(stage.dy(i), after, i);
    stage.backward(i);
    if (!stage.first()) world.send(stage.dx(i), before, i);
  }
}
