// A server that waits for nobody, or lets no worker get more than some steps ahead: how stale the gradients become.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "demos/p2p/world.h"
#include "demos/parameter-server/servers.h"

struct AsyncOptions {
  int steps = 12;
  std::optional<int> ahead;  ///< no worker begins a step this many before the slowest one's has arrived; none: no limit
  std::chrono::nanoseconds compute{}, slow_compute{};  ///< of one step; the worker with rank 0 takes the slow one
  float rate = 0.15F;
  std::int64_t bytes = 65536;  ///< of the parameters
};

struct AsyncResult {
  Histogram staleness;          ///< filled on the server only, as is
  std::vector<double> losses;   ///< mean square distance from the optimum: at the start and after each update
  int held = 0;                 ///< pushes whose answer had to wait for a slower worker; on the server only
  std::int64_t compute_ns = 0, waiting_ns = 0;  ///< of this worker
};

/// The last rank serves, all others work. Throws when a gradient is not that of the parameters it names.
AsyncResult train(p2p::World& world, const AsyncOptions& options);
