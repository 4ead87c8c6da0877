// Other tools know a lane as a stack: a slice there must end before the one around it. This says which spans fit.
#pragma once
#include <cstdint>
#include <vector>

#include "app/trace/trace.h"

namespace p2plab::trace {

/// For every span the number of the stack of its lane on which it nests: 0 as a rule; a number of its own where it
/// outlasts the span around it, as requests in flight do.
std::vector<std::uint16_t> nesting_stacks(const Trace& trace);

}  // namespace p2plab::trace
