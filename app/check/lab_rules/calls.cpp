// Rules over the calls of the program: which it makes, which it must not, how many collectives.
#include <algorithm>

#include "app/analysis/site.h"
#include "app/check/lab_rules.h"

namespace p2plab::check {

namespace {

using Type = RuleParameter::Type;

bool is_one_of(const std::vector<std::string>& words, const std::string& word) { return std::find(words.begin(), words.end(), word) != words.end(); }

/// Only where; the outcome's sentence says what is wrong there.
analysis::Finding place(const trace::Trace& trace, trace::SpanId id) {
  analysis::Finding out;
  out.kind = "lab-rule";
  out.sites = {analysis::operation_site(trace, id)};
  return out;
}

/// Collective calls of each rank, of the names in `name` if given, without those in `except`.
RuleOutcome collectives(const LabEvidence& evidence, const RuleWith& with) {
  const auto only = words_of(with, "name"), except = words_of(with, "except");
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    std::vector<trace::SpanId> found;
    for (const trace::SpanId id : calls_of(evidence.trace, rank)) {
      const trace::Span& span = evidence.trace.span(id);
      const std::string& name = evidence.trace.name(span.name);
      if (span.kind == trace::Kind::collective && (only.empty() || is_one_of(only, name)) && !is_one_of(except, name)) found.push_back(id);
    }
    const Bounds bounds(with, evidence.values, rank);
    if (bounds.hold(static_cast<double>(found.size()))) continue;
    RuleOutcome out = broken("lab-rule.collectives", bounds, static_cast<double>(found.size()), {{"rank", std::to_string(rank)}});
    if (!found.empty()) out.findings.push_back(place(evidence.trace, found.front()));
    out.spans = std::move(found);
    return out;
  }
  return {};
}

/// Bytes that each collective call of a rank carries.
RuleOutcome collective_bytes(const LabEvidence& evidence, const RuleWith& with) {
  const auto only = words_of(with, "name"), except = words_of(with, "except");
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    const Bounds bounds(with, evidence.values, rank);
    for (const trace::SpanId id : calls_of(evidence.trace, rank)) {
      const trace::Span& span = evidence.trace.span(id);
      const std::string& name = evidence.trace.name(span.name);
      if (span.kind != trace::Kind::collective || (!only.empty() && !is_one_of(only, name)) || is_one_of(except, name)) continue;
      if (bounds.hold(static_cast<double>(span.bytes))) continue;
      RuleOutcome out = broken("lab-rule.collective-bytes", bounds, static_cast<double>(span.bytes), {{"rank", std::to_string(rank)}, {"call", name}});
      out.findings.push_back(place(evidence.trace, id));
      out.spans = {id};
      return out;
    }
  }
  return {};
}

/// Calls of these names on each rank.
RuleOutcome call_count(const LabEvidence& evidence, const RuleWith& with) {
  const auto words = words_of(with, "calls");
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    std::vector<trace::SpanId> made;
    for (const trace::SpanId id : calls_of(evidence.trace, rank))
      if (is_one_of(words, evidence.trace.name(evidence.trace.span(id).name))) made.push_back(id);
    const Bounds bounds(with, evidence.values, rank);
    if (bounds.hold(static_cast<double>(made.size()))) continue;
    RuleOutcome out = broken("lab-rule.calls", bounds, static_cast<double>(made.size()), {{"rank", std::to_string(rank)}, {"calls", word_of(with, "calls")}});
    if (!made.empty()) out.findings.push_back(place(evidence.trace, made.front()));
    return out;
  }
  return {};
}

/// Every rank makes one of these calls at least: "MPI_Isend|MPI_Issend MPI_Irecv" wants one of the first two and the third.
RuleOutcome uses(const LabEvidence& evidence, const RuleWith& with) {
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    std::vector<std::string> made;
    for (const trace::SpanId id : calls_of(evidence.trace, rank)) made.push_back(evidence.trace.name(evidence.trace.span(id).name));
    for (const std::string& choice : words_of(with, "calls")) {
      const std::string ways = "|" + choice + "|";
      if (std::any_of(made.begin(), made.end(), [&](const std::string& name) { return ways.find("|" + name + "|") != std::string::npos; })) continue;
      RuleOutcome out;
      out.pass = false;
      out.what = {"lab-rule.uses", {{"rank", std::to_string(rank)}, {"call", choice}}};
      out.wanted = {{"calls", choice}};
      out.seen = {{"rank", rank}};
      return out;
    }
  }
  return {};
}

RuleOutcome avoids(const LabEvidence& evidence, const RuleWith& with) {
  const auto words = words_of(with, "calls");
  for (std::size_t i = 0; i < evidence.trace.spans().size(); ++i) {
    const auto id = static_cast<trace::SpanId>(i);
    const trace::Span& span = evidence.trace.span(id);
    if ((span.flags & trace::kInFlight) != 0 || !is_one_of(words, evidence.trace.name(span.name))) continue;
    RuleOutcome out;
    out.pass = false;
    out.what = {"lab-rule.avoids", {{"rank", std::to_string(evidence.trace.rank_of(id))}, {"call", evidence.trace.name(span.name)}}};
    out.wanted = {{"without", words}};
    out.seen = {{"call", evidence.trace.name(span.name)}, {"rank", evidence.trace.rank_of(id)}};
    out.findings.push_back(place(evidence.trace, id));
    out.spans = {id};
    return out;
  }
  return {};
}

/// No receive that takes what comes first from anybody.
RuleOutcome named_sources(const LabEvidence& evidence, const RuleWith&) {
  for (std::size_t i = 0; i < evidence.trace.spans().size(); ++i) {
    const auto id = static_cast<trace::SpanId>(i);
    const trace::Span& span = evidence.trace.span(id);
    if (span.kind != trace::Kind::receive || (span.flags & trace::kInFlight) == 0 || span.peer != trace::kNone) continue;
    RuleOutcome out;
    out.pass = false;
    out.what = {"lab-rule.named-sources", {{"rank", std::to_string(evidence.trace.rank_of(id))}}};
    out.wanted = {{"source", "named"}};
    out.seen = {{"source", "any"}, {"rank", evidence.trace.rank_of(id)}};
    out.findings.push_back(place(evidence.trace, id));
    out.spans = {id};
    return out;
  }
  return {};
}

/// Work stands on these lanes alone; "in flight" is always allowed.
RuleOutcome lanes(const LabEvidence& evidence, const RuleWith& with) {
  const auto only = words_of(with, "only");
  for (std::size_t i = 0; i < evidence.trace.spans().size(); ++i) {
    const auto id = static_cast<trace::SpanId>(i);
    const trace::Span& span = evidence.trace.span(id);
    const std::string& lane = evidence.trace.name(evidence.trace.tracks()[span.track].lane);
    if ((span.flags & trace::kInFlight) != 0 || is_one_of(only, lane)) continue;
    RuleOutcome out;
    out.pass = false;
    out.what = {"lab-rule.lanes", {{"rank", std::to_string(evidence.trace.rank_of(id))}, {"lane", lane}, {"wanted", word_of(with, "only")}}};
    out.wanted = {{"lanes", only}};
    out.seen = {{"lane", lane}, {"rank", evidence.trace.rank_of(id)}};
    out.findings.push_back(place(evidence.trace, id));
    out.spans = {id};
    return out;
  }
  return {};
}

}  // namespace

std::span<const LabRule> call_rules() {
  static const std::vector<LabRule> kRules = {
      {"collectives", {{"name"}, {"except"}}, true, collectives},
      {"collective-bytes", {{"name"}, {"except"}}, true, collective_bytes},
      {"calls", {{"calls", Type::word, true}}, true, call_count},
      {"uses", {{"calls", Type::word, true}}, false, uses},
      {"avoids", {{"calls", Type::word, true}}, false, avoids},
      {"lanes", {{"only", Type::word, true}}, false, lanes},
      {"named-sources", {}, false, named_sources},
  };
  return kRules;
}

}  // namespace p2plab::check
