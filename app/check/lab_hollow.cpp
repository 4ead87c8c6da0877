// See lab_hollow.h.
#include "app/check/lab_hollow.h"

#include <algorithm>

namespace p2plab::check {

trace::Trace hollow(const trace::Trace& full, Hollow how) {
  trace::Trace out;
  out.run = full.run;
  for (std::size_t i = 0; i < full.names(); ++i) out.intern(full.name(static_cast<trace::NameId>(i)));
  for (const trace::Track& track : full.tracks()) out.track(track.rank, track.lane);
  for (std::size_t i = 0; i < full.spans().size(); ++i) {
    trace::Span span = full.spans()[i];
    span.bytes = 0;
    out.restore(span);
  }
  for (const trace::Metric& metric : full.metrics()) out.add(metric);
  for (const auto& [span, hashes] : full.all_hashes()) out.hashes(span) = hashes;
  if (how == Hollow::empty) out.messages() = full.messages();
  out.saw(full.now());
  return out;
}

bool passes_hollow(const LabManifest& lab, const LabEvidence& evidence, Hollow how) {
  const trace::Trace trace = hollow(evidence.trace, how);
  const LabEvidence without{evidence.how, trace, evidence.values, evidence.reference};
  return std::all_of(lab.checks.begin(), lab.checks.end(), [&](const LabCheck& check) {
    const bool judged = check.runs.empty() || std::find(check.runs.begin(), check.runs.end(), evidence.how.run) != check.runs.end();
    if (!judged || check.rule == "metric" || check.rule == "reference") return true;
    return find_lab_rule(check.rule)->judge(without, check.with).pass;
  });
}

}  // namespace p2plab::check
