// Judges a finished run as if every send were synchronous: does it pass only thanks to buffering?
#pragma once
#include <optional>

#include "app/analysis/finding.h"

namespace p2plab::analysis {

/// Replays each rank's communication calls in program order with rendezvous sends. Returns the finding
/// "unsafe-buffering" when the replay cannot finish; nothing when it can.
std::optional<Finding> strict_replay(const trace::Trace& trace);

}  // namespace p2plab::analysis
