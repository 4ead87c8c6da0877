// Rules over communication beside computation. They decide only on the virtual clock; on a real one they are advice.
#include "app/analysis/overlap.h"

#include "app/check/lab_rules.h"

namespace p2plab::check {

namespace {

/// Overlap over communication, of all ranks together.
RuleOutcome overlap_ratio(const LabEvidence& evidence, const RuleWith& with) {
  const Bounds bounds(with, evidence.values);
  const auto ratio = analysis::overlap(evidence.trace, analysis::whole_run(evidence.trace)).ratio();
  if (ratio && bounds.hold(*ratio)) return {};
  return broken(ratio ? "lab-rule.overlap" : "lab-rule.overlap-none", bounds, ratio.value_or(0));
}

/// Communication beside which nothing is computed, of the rank that has most, in ns.
RuleOutcome exposed(const LabEvidence& evidence, const RuleWith& with) {
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    const Bounds bounds(with, evidence.values, rank);
    const auto seen = static_cast<double>(analysis::overlap(evidence.trace, rank, analysis::whole_run(evidence.trace)).exposed_ns());
    if (!bounds.hold(seen)) return broken("lab-rule.exposed", bounds, seen, {{"rank", std::to_string(rank)}}, kNsPerMs);
  }
  return {};
}

/// From the first begin to the last end of computation and communication, in ns.
RuleOutcome duration(const LabEvidence& evidence, const RuleWith& with) {
  const Bounds bounds(with, evidence.values);
  const analysis::Window window = analysis::whole_run(evidence.trace);
  const auto seen = static_cast<double>(window.end - window.begin);
  return bounds.hold(seen) ? RuleOutcome{} : broken("lab-rule.duration", bounds, seen, {}, kNsPerMs);
}

}  // namespace

std::span<const LabRule> overlap_rules() {
  static const std::vector<LabRule> kRules = {
      {"overlap", {}, true, overlap_ratio},
      {"exposed", {}, true, exposed},
      {"duration", {}, true, duration},
  };
  return kRules;
}

}  // namespace p2plab::check
