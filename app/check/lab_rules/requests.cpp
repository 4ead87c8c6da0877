// Rules over the life of requests: what is outstanding while the program computes.
#include <algorithm>

#include "app/check/lab_rules.h"

namespace p2plab::check {

namespace {

std::vector<trace::SpanId> spans_of(const trace::Trace& trace, int rank, bool in_flight) {
  std::vector<trace::SpanId> out;
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const auto id = static_cast<trace::SpanId>(i);
    const trace::Span& span = trace.span(id);
    if (trace.rank_of(id) != rank || ((span.flags & trace::kInFlight) != 0) != in_flight) continue;
    if (in_flight || trace::is_compute(span.kind)) out.push_back(id);
  }
  return out;
}

/// The share of a rank's computations that begin and end while a message of its own (kind = send, receive or both) is in
/// flight: posted before, completed after. An order of calls, not a matter of speed.
RuleOutcome outstanding(const LabEvidence& evidence, const RuleWith& with) {
  const trace::Trace& trace = evidence.trace;
  const std::string kind = word_of(with, "kind", "any");
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    const auto flights = spans_of(trace, rank, true);
    const auto computes = spans_of(trace, rank, false);
    std::size_t covered = 0;
    trace::SpanId alone = trace::kNoIndex;
    for (const trace::SpanId c : computes) {
      const trace::Span& compute = trace.span(c);
      bool send = false, receive = false;
      for (const trace::SpanId f : flights) {
        const trace::Span& flight = trace.span(f);
        if (flight.begin > compute.begin || (!flight.open() && flight.end < compute.end)) continue;
        send = send || flight.kind == trace::Kind::send;
        receive = receive || flight.kind == trace::Kind::receive;
      }
      const bool good = kind == "send" ? send : kind == "receive" ? receive : kind == "both" ? send && receive : send || receive;
      if (good) ++covered;
      else if (alone == trace::kNoIndex) alone = c;
    }
    const Bounds bounds(with, evidence.values, rank);
    const double seen = computes.empty() ? 0 : static_cast<double>(covered) / static_cast<double>(computes.size());
    if (bounds.hold(seen)) continue;
    RuleOutcome out = broken(computes.empty() ? "lab-rule.outstanding-none" : "lab-rule.outstanding", bounds, seen,
                             {{"rank", std::to_string(rank)}, {"covered", std::to_string(covered)}, {"all", std::to_string(computes.size())}});
    if (alone != trace::kNoIndex) out.spans = {alone};
    return out;
  }
  return {};
}

/// Computations of each rank.
RuleOutcome computes(const LabEvidence& evidence, const RuleWith& with) {
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    const Bounds bounds(with, evidence.values, rank);
    const auto seen = static_cast<double>(spans_of(evidence.trace, rank, false).size());
    if (!bounds.hold(seen)) return broken("lab-rule.computes", bounds, seen, {{"rank", std::to_string(rank)}});
  }
  return {};
}

/// Most operations of a rank in flight at the same time.
RuleOutcome pending(const LabEvidence& evidence, const RuleWith& with) {
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    std::vector<std::pair<trace::Ns, int>> changes;
    for (const trace::SpanId id : spans_of(evidence.trace, rank, true)) {
      const trace::Span& span = evidence.trace.span(id);
      changes.emplace_back(span.begin, 1);
      if (!span.open()) changes.emplace_back(span.end, -1);
    }
    std::sort(changes.begin(), changes.end());
    int now = 0, most = 0;
    for (const auto& [at, change] : changes) most = std::max(most, now += change);
    const Bounds bounds(with, evidence.values, rank);
    if (!bounds.hold(most)) return broken("lab-rule.pending", bounds, most, {{"rank", std::to_string(rank)}});
  }
  return {};
}

}  // namespace

std::span<const LabRule> request_rules() {
  static const std::vector<LabRule> kRules = {
      {"outstanding", {{"kind"}}, true, outstanding},
      {"computes", {}, true, computes},
      {"pending", {}, true, pending},
  };
  return kRules;
}

}  // namespace p2plab::check
