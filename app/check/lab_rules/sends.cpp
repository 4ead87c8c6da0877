// The rule over who sends what to whom: so many messages, of this size, with contents of their own.
#include <set>
#include <sstream>

#include "app/check/lab_rules.h"

namespace p2plab::check {

namespace {

using Type = RuleParameter::Type;

/// The ranks that `rank` sends to: formulas with ; between them. One that is no other rank stands for nobody.
std::vector<int> receivers(const LabEvidence& evidence, const RuleWith& with, int rank) {
  LabValues values = evidence.values;
  values["rank"] = rank;
  std::vector<int> out;
  std::istringstream in(with.at("to"));
  for (std::string formula; std::getline(in, formula, ';');) {
    const double to = evaluate(formula, values);
    if (to >= 0 && to < evidence.how.ranks && static_cast<int>(to) != rank) out.push_back(static_cast<int>(to));
  }
  return out;
}

/// Each rank sends to each of its receivers messages of `bytes`, as many as the bounds say; formulas of `rank` all of them.
/// different = pair, run: no two of a pair, or of the run, carry the same bytes.
RuleOutcome sends(const LabEvidence& evidence, const RuleWith& with) {
  const trace::Trace& trace = evidence.trace;
  const std::string different = word_of(with, "different");
  std::set<std::uint64_t> contents;
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    LabValues values = evidence.values;
    values["rank"] = rank;
    const double bytes = evaluate(with.at("bytes"), values);
    for (const int peer : receivers(evidence, with, rank)) {
      if (different != "run") contents.clear();
      double seen = 0;
      for (const trace::Message& message : trace.messages()) {
        if (message.send == trace::kNoIndex || message.receive == trace::kNoIndex || trace.rank_of(message.send) != rank || trace.rank_of(message.receive) != peer) continue;
        if (static_cast<double>(trace.span(message.send).bytes) != bytes) continue;
        ++seen;
        if (different.empty()) continue;
        const auto hashes = trace.all_hashes().find(message.send);
        const bool known = hashes != trace.all_hashes().end() && hashes->second.has_post;
        if (known && contents.insert(hashes->second.post).second) continue;
        RuleOutcome out;
        out.pass = false;
        out.what = {known ? "lab-rule.sends-same" : "lab-rule.sends-unknown", {{"rank", std::to_string(rank)}, {"peer", std::to_string(peer)}, {"number", plain(seen)}}};
        out.wanted = {{"contents", "all different"}};
        out.seen = {{"rank", rank}, {"peer", peer}, {"message", seen}};
        out.spans = {message.send, message.receive};
        return out;
      }
      const Bounds bounds(with, evidence.values, rank);
      if (!bounds.hold(seen)) return broken("lab-rule.sends", bounds, seen, {{"rank", std::to_string(rank)}, {"peer", std::to_string(peer)}, {"bytes", plain(bytes)}});
    }
  }
  return {};
}

}  // namespace

std::span<const LabRule> sending_rules() {
  static const std::vector<LabRule> kRules = {{"sends", {{"to", Type::word, true}, {"bytes", Type::formula, true}, {"different"}}, true, sends}};
  return kRules;
}

}  // namespace p2plab::check
