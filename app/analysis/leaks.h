// What a finished run left behind: requests never completed, messages nobody received.
#pragma once
#include "app/analysis/finding.h"

namespace p2plab::analysis {

/// "unmatched-message": a send for which the run had no receive at all.
/// "request-leak": an operation still open when its rank left: no wait and no test has completed it.
/// Speaks only of ranks that have left; nothing is said of a run that was cut short.
std::vector<Finding> leak_findings(const trace::Trace& trace);

}  // namespace p2plab::analysis
