// Buffers touched while the library owned them, found by hashes of the payload: even where the right bytes arrived.
#pragma once
#include "app/analysis/finding.h"

namespace p2plab::analysis {

/// "send-buffer-race": a send whose payload at completion is not what was posted.
/// "recv-buffer-race": a receive that ended with other bytes than its sender posted, though the sender kept them.
/// Needs the messages of the trace and hashes (World::hash_payloads). An early *read* leaves no mark in a hash.
std::vector<Finding> buffer_findings(const trace::Trace& trace);

}  // namespace p2plab::analysis
