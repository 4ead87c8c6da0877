// Ways to add up the workers' gradients and hand the sum back to all of them, each made of sends and receives.
#pragma once
#include <cstdint>
#include <string>

#include "demos/p2p/world.h"

/// What a step cost, on every rank.
struct Cost {
  double time_ns = 0;       ///< until the last rank is done
  double hottest_bytes = 0; ///< through the busiest port, one way
  double total_bytes = 0;
};

/// A first message between any two ranks, so that no step has to make a connection.
void connect_all(p2p::World& world);

/// Ranks 0 … workers-1 have gradients of `bytes`. Ranks that take no part wait. Each throws when a worker ends with a wrong sum.
/// Servers on the ranks behind the workers, each for its share of the keys. In `chunks` parts, so that one is pulled while the
/// next is pushed.
Cost separate_servers(p2p::World& world, int workers, int servers, std::int64_t bytes, int chunks);
/// Shards on the first `shards` of the workers.
Cost shards_on_workers(p2p::World& world, int workers, int shards, std::int64_t bytes);
Cost ring(p2p::World& world, int workers, std::int64_t bytes);
