// Is a list of orders a legal schedule? If not, which action breaks which rule.
#pragma once
#include <optional>

#include "app/schedule/schedule.h"
#include "app/trace/error.h"

namespace p2plab::schedule {

/// The first fault, as a text of "schedule.fault.*"; nothing if there is none. Legal: every stage runs F, B and W of every
/// microbatch on every chunk it holds exactly once (a whole backward counts as both), explicit messages are all there or
/// none, no more than `memory_limit` whole stages of activations are in flight (0: no limit;
/// `weight_memory` as in Problem), and the run ends when
///   F(part k) waits for F(part k-1), B(part k) for F(part k) and B(part k+1), W for its B, all stages for each other where
/// they meet. A circular wait is reported as the cycle of actions.
std::optional<TextRef> find_fault(const Schedule& schedule, int memory_limit = 0, double weight_memory = 1);

}  // namespace p2plab::schedule
