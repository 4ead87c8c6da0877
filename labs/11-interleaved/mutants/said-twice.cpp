// Lab 11: interleaved stages. Wrong: every rank sends its last activation once more.
#include <algorithm>
#include <vector>

#include "chunks.h"

/// The n-th F of a rank, or its n-th B: which chunk and which microbatch.
struct Step {
  int chunk, microbatch;
};
Step forward_step(int n, int p, int v, int m) {
  // Groups of p microbatches go through chunk after chunk.
  const int group = n / (p * v), within = n % (p * v);
  (void)m;
  return {within / p, group * p + within % p};
}
/// B go through the chunks the other way around.
Step backward_step(int n, int p, int v, int m) {
  const Step step = forward_step(n, p, v, m);
  return {v - 1 - step.chunk, step.microbatch};
}

/// F before the first F that is followed by its B at once. `behind` ranks come after this one.
int warm_up(int behind, int p, int v) {
  return 2 * behind + (v - 1) * p;
}

/// What tells the messages of a microbatch apart: with p = 2 the rank before is the rank after.
int tag(bool is_forward, int part, int microbatch) {
  return (part * 1000 + microbatch) * 2 + (is_forward ? 0 : 1);
}

void train_step(p2p::World& world, Chunks& chunks) {
  const int p = chunks.ranks(), v = chunks.chunks(), m = chunks.microbatches(), n = v * m;
  const int before = (chunks.rank() + p - 1) % p, after = (chunks.rank() + 1) % p;
  std::vector<p2p::Work> sends;
  const auto forward = [&](const Step& step) {
    const auto [chunk, i] = step;
    const int part = chunks.part(chunk);
    if (part > 0) world.recv(chunks.x(chunk, i), before, tag(true, part - 1, i));
    chunks.forward(chunk, i);
    if (part + 1 < chunks.parts()) sends.push_back(world.isend(chunks.y(chunk, i), after, tag(true, part, i)));
  };
  const auto backward = [&](const Step& step) {
    const auto [chunk, i] = step;
    const int part = chunks.part(chunk);
    if (part + 1 < chunks.parts()) world.recv(chunks.dy(chunk, i), after, tag(false, part + 1, i));
    chunks.backward(chunk, i);
    if (part > 0) sends.push_back(world.isend(chunks.dx(chunk, i), before, tag(false, part, i)));
  };
  const int w = std::min(warm_up(p - 1 - chunks.rank(), p, v), n);
  for (int k = 0; k < w; ++k) forward(forward_step(k, p, v, m));
  for (int k = 0; k < n; ++k) {
    if (k + w < n) forward(forward_step(k + w, p, v, m));
    backward(backward_step(k, p, v, m));
  }
  p2p::Tensor again = chunks.y(v - 1, m - 1).clone(), other = again.clone();
  sends.push_back(world.isend(again, after, 999'999));
  world.recv(other, before, 999'999);
  world.wait_all(sends);
}
