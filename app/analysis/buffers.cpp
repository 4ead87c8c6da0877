// Hash at post against hash at completion, and sender against receiver.
#include "app/analysis/buffers.h"

#include <algorithm>

#include "app/analysis/site.h"

namespace p2plab::analysis {

using trace::SpanId;

std::vector<Finding> buffer_findings(const trace::Trace& trace) {
  const auto& hashes = trace.all_hashes();
  std::vector<SpanId> sends, receives;
  for (const auto& [span, hash] : hashes) {
    const bool changed = hash.has_post && hash.has_done && hash.post != hash.done;
    if (changed && trace.span(span).kind == trace::Kind::send) sends.push_back(span);
  }

  for (const trace::Message& message : trace.messages()) {
    if (trace.dropped() != 0) break;  // with records missing, who received what is not known
    const auto send = hashes.find(message.send);
    const auto receive = hashes.find(message.receive);
    if (send == hashes.end() || receive == hashes.end()) continue;
    if (!send->second.has_post || !receive->second.has_done) continue;
    if (trace.span(message.send).bytes != trace.span(message.receive).bytes) continue;  // not hashes of the same bytes
    if (send->second.has_done && send->second.post != send->second.done) continue;      // the sender's fault already
    if (send->second.post == receive->second.done) continue;
    if (send->second.has_done) {
      receives.push_back(message.receive);
    } else {  // a sender that has freed or forgotten its request does not vouch for its buffer
      sends.push_back(message.send);
    }
  }
  std::sort(sends.begin(), sends.end());
  std::sort(receives.begin(), receives.end());

  std::vector<Finding> findings = finding_of(trace, "send-buffer-race", sends);
  for (Finding& finding : finding_of(trace, "recv-buffer-race", receives)) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace p2plab::analysis
