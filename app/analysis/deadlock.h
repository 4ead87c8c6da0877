// From a set of stuck tracks to what a learner reads: one call per rank, in the order of the cycle.
#pragma once
#include "app/analysis/wait_for.h"

namespace p2plab::analysis {

/// The ranks that make a stuck set, one site each: around the cycle, or those that wait for a rank which has left.
std::vector<Site> stuck_sites(const trace::Trace& trace, const WaitForGraph& graph);

/// "0 → 1 → 0"
std::string cycle_text(const std::vector<Site>& sites);

}  // namespace p2plab::analysis
