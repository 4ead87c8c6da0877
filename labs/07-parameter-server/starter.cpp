// Lab 7: a parameter server. Rank 0 does it all. See TASK.md.
#include "server.h"

void step(std::vector<float>& params, const std::vector<float>& gradient, int shards) {
  // TODO: the gradients of the other ranks. Push to each of the `shards` servers its part, sum there, pull the parts back.
  (void)shards;
  for (std::size_t i = 0; i < params.size(); ++i) params[i] += gradient[i];
}
