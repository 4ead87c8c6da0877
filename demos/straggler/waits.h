// Who waits for whom in one step, and how long: the arithmetic of the demo.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

/// When a rank came to the communication of a step and when it left, in ns on one clock.
struct Stay {
  std::int64_t enter = 0, leave = 0;
};

/// What a rank spent in the communication of one step: waiting until the last partner was there, then transferring.
struct Split {
  std::int64_t waiting_ns = 0, transfer_ns = 0;
};

/// The ranks whose arrival `rank` needs before it can leave. `held`: a send waits for its receive (above the eager limit).
std::vector<int> partners(std::string_view variant, int rank, int ranks, bool held);

/// One rank's share, from the stays of all ranks in the same step.
Split split(std::string_view variant, int rank, const std::vector<Stay>& stays, bool held);
