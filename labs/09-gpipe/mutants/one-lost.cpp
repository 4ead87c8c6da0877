// Lab 9: GPipe. Wrong: the last microbatch is left out.
#include "stage.h"

void train_step(p2p::World& world, Stage& stage) {
  const int m = stage.microbatches(), before = stage.rank() - 1, after = stage.rank() + 1;
  for (int i = 0; i < m - 1; ++i) {  // all F
    if (!stage.first()) world.recv(stage.x(i), before, i);
    stage.forward(i);
    if (!stage.last()) world.send(stage.y(i), after, i);
  }
  for (int i = 0; i < m - 1; ++i) {  // then all B
    if (!stage.last()) world.recv(stage.dy(i), after, i);
    stage.backward(i);
    if (!stage.first()) world.send(stage.dx(i), before, i);
  }
}
