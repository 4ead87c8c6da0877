// Lab 9: GPipe. Wrong: still one microbatch at a time, with requests.
#include "stage.h"

void train_step(p2p::World& world, Stage& stage) {
  const int m = stage.microbatches(), before = stage.rank() - 1, after = stage.rank() + 1;
  for (int i = 0; i < m; ++i) {
    if (!stage.first()) world.irecv(stage.x(i), before, i).wait();
    stage.forward(i);
    if (!stage.last()) world.isend(stage.y(i), after, i).wait();
    if (!stage.last()) world.recv(stage.dy(i), after, i);
    stage.backward(i);
    if (!stage.first()) world.send(stage.dx(i), before, i);
  }
}
