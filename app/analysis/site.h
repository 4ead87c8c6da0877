// Sites of findings that are about operations rather than about a standstill.
#pragma once
#include "app/analysis/finding.h"

namespace p2plab::analysis {

/// Rank, call, line and arguments of a communication span.
Site operation_site(const trace::Trace& trace, trace::SpanId span);

/// One finding for all `spans`: their count, and as sites the first of each rank. Nothing for no spans.
std::vector<Finding> finding_of(const trace::Trace& trace, std::string kind, const std::vector<trace::SpanId>& spans);

}  // namespace p2plab::analysis
