// Schedules in lockstep: all stages meet after every slot, as an all-reduce in place of each message would make them.
#pragma once
#include <cstdint>

#include "app/schedule/schedule.h"

namespace p2plab::schedule::made {

/// Output k of a stage: its actions, each in its slot, and a meeting after every slot. `before(t)` is the number of its
/// actions in slots below t; `action(n)` its n-th action.
template <class Before, class ActionOf>
Action in_slots(std::int64_t slots, std::int64_t k, Before before, ActionOf action) {
  std::int64_t low = 0, high = slots;  // the last slot that begins at output k or before it
  while (low + 1 < high) {
    const std::int64_t middle = (low + high) / 2;
    (middle + before(middle) <= k ? low : high) = middle;
  }
  const bool meets = k - (low + before(low)) == before(low + 1) - before(low);
  return meets ? meet() : action(before(low));
}

}  // namespace p2plab::schedule::made
