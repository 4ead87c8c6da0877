// Operations without a partner and operations without an end, once every rank has left.
#include "app/analysis/leaks.h"

#include <algorithm>

#include "app/analysis/operations.h"
#include "app/analysis/site.h"

namespace p2plab::analysis {

using trace::Span;
using trace::SpanId;

std::vector<Finding> leak_findings(const trace::Trace& trace) {
  for (const trace::ThreadSample& thread : trace.threads()) {
    if (thread.state != trace::ThreadState::exited) return {};
  }
  Operations operations;
  operations.update(trace);
  std::vector<SpanId> lost = operations.unmatched(trace);
  std::erase_if(lost, [&](SpanId id) { return trace.span(id).kind != trace::Kind::send; });

  // One cause, one finding: a send that nobody receives is not a leaked request as well.
  std::vector<SpanId> leaked;
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const auto id = static_cast<SpanId>(i);
    const Span& span = trace.span(id);
    if ((span.flags & trace::kInFlight) == 0 || !span.open()) continue;
    if (!std::binary_search(lost.begin(), lost.end(), id)) leaked.push_back(id);
  }
  std::vector<Finding> findings = finding_of(trace, "unmatched-message", lost);
  for (Finding& finding : finding_of(trace, "request-leak", leaked)) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace p2plab::analysis
