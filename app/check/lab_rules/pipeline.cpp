// Rules over a pipeline step: makespan, bubble, activations in flight, the order of F, B and W.
#include "app/analysis/pipeline.h"

#include <algorithm>
#include <set>

#include "app/analysis/pipeline_step.h"
#include "app/check/lab_rules.h"
#include "app/schedule/generator.h"

namespace p2plab::check {

namespace {

using Type = RuleParameter::Type;

RuleOutcome no_pipeline() {
  RuleOutcome out;
  out.pass = false;
  out.what = {"lab-rule.no-pipeline", {}};
  return out;
}

RuleOutcome makespan(const LabEvidence& evidence, const RuleWith& with) {
  const auto numbers = analysis::pipeline_numbers(evidence.trace);
  if (numbers.stages != evidence.how.ranks) return no_pipeline();
  const Bounds bounds(with, evidence.values);
  const auto seen = static_cast<double>(numbers.step_ns);
  return bounds.hold(seen) ? RuleOutcome{} : broken("lab-rule.makespan", bounds, seen, {}, kNsPerMs);
}

RuleOutcome bubble(const LabEvidence& evidence, const RuleWith& with) {
  const auto numbers = analysis::pipeline_numbers(evidence.trace);
  if (numbers.stages != evidence.how.ranks) return no_pipeline();
  const Bounds bounds(with, evidence.values);
  return bounds.hold(numbers.bubble_ratio) ? RuleOutcome{} : broken("lab-rule.bubble", bounds, numbers.bubble_ratio);
}

RuleOutcome peak_in_flight(const LabEvidence& evidence, const RuleWith& with) {
  const auto numbers = analysis::pipeline_numbers(evidence.trace);
  if (numbers.stages != evidence.how.ranks) return no_pipeline();
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    const Bounds bounds(with, evidence.values, rank);
    const double seen = numbers.peak_in_flight.at(static_cast<std::size_t>(rank));
    if (!bounds.hold(seen)) return broken("lab-rule.in-flight", bounds, seen, {{"rank", std::to_string(rank)}});
  }
  return {};
}

/// What the actions of a rank are called in order: "F0 F1 B0".
std::string order_text(const std::vector<analysis::PipelineAction>& actions) {
  std::string out;
  for (const auto& action : actions) out += (out.empty() ? "" : " ") + std::string(action.weight ? "W" : action.forward ? "F" : "B") + std::to_string(action.microbatch);
  return out;
}

/// Every stage runs F and B in the order that the schedule of this name has.
RuleOutcome order(const LabEvidence& evidence, const RuleWith& with) {
  const auto steps = analysis::pipeline_steps(evidence.trace);
  if (steps.empty()) return no_pipeline();
  const auto& generator = schedule::generator(word_of(with, "schedule"));
  const auto numbers = analysis::pipeline_numbers(evidence.trace);
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    std::string wanted;
    for (const schedule::Action& action : schedule::stage_order(generator, {.shape = {evidence.how.ranks, numbers.microbatches}}, rank))
      wanted += (wanted.empty() ? "" : " ") + schedule::to_string(action);
    const std::string seen = order_text(steps.back().actions.at(static_cast<std::size_t>(rank)));
    if (seen == wanted) continue;
    RuleOutcome out;
    out.pass = false;
    out.what = {"lab-rule.order", {{"rank", std::to_string(rank)}, {"wanted", wanted}, {"seen", seen}, {"schedule", word_of(with, "schedule")}}};
    out.wanted = {{"rank", rank}, {"order", wanted}};
    out.seen = {{"order", seen}};
    return out;
  }
  return {};
}

/// F before the first B of each stage.
RuleOutcome warm_up(const LabEvidence& evidence, const RuleWith& with) {
  const auto steps = analysis::pipeline_steps(evidence.trace);
  if (steps.empty()) return no_pipeline();
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    const auto& actions = steps.back().actions.at(static_cast<std::size_t>(rank));
    const auto first = std::find_if(actions.begin(), actions.end(), [](const auto& action) { return !action.forward && !action.weight; });
    const auto seen = static_cast<double>(first - actions.begin());
    const Bounds bounds(with, evidence.values, rank);
    if (!bounds.hold(seen)) return broken("lab-rule.warm-up", bounds, seen, {{"rank", std::to_string(rank)}});
  }
  return {};
}

/// Every microbatch has one F and one B (and, where split, one W behind its B) on every stage.
RuleOutcome complete_step(const LabEvidence& evidence, const RuleWith& with) {
  const auto steps = analysis::pipeline_steps(evidence.trace);
  if (steps.empty()) return no_pipeline();
  const int microbatches = static_cast<int>(evaluate(word_of(with, "microbatches"), evidence.values));
  const int chunks = with.contains("chunks") ? static_cast<int>(evaluate(with.at("chunks"), evidence.values)) : 1;
  const bool split = word_of(with, "split", "false") == "true";
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    std::map<std::pair<int, int>, std::string> of;  // microbatch, part → "FB", "FBW"
    for (const auto& action : steps.back().actions.at(static_cast<std::size_t>(rank))) of[{action.microbatch, action.part}] += action.weight ? 'W' : action.forward ? 'F' : 'B';
    const std::string wanted = split ? "FBW" : "FB";
    const auto fail = [&](const std::string& microbatch, const std::string& seen) {
      RuleOutcome out;
      out.pass = false;
      out.what = {"lab-rule.complete-step", {{"rank", std::to_string(rank)}, {"microbatch", microbatch}, {"wanted", wanted}, {"seen", seen}}};
      out.wanted = {{"actions", wanted}, {"microbatches", microbatches}};
      out.seen = {{"rank", rank}, {"microbatch", microbatch}, {"actions", seen}};
      return out;
    };
    for (const auto& [which, actions] : of)
      if (actions != wanted) return fail(std::to_string(which.first), actions);
    if (of.size() != static_cast<std::size_t>(microbatches * chunks)) return fail("–", std::to_string(of.size()));
  }
  return {};
}

/// Idle time inside each stage's own window, from its first action to its last, in ns.
RuleOutcome window_idle(const LabEvidence& evidence, const RuleWith& with) {
  const auto steps = analysis::pipeline_steps(evidence.trace);
  if (steps.empty()) return no_pipeline();
  for (int rank = 0; rank < evidence.how.ranks; ++rank) {
    const auto& actions = steps.back().actions.at(static_cast<std::size_t>(rank));
    if (actions.empty()) return no_pipeline();
    trace::Ns end = actions.front().begin, busy = 0;
    for (const auto& action : actions) {
      busy += action.end - action.begin;
      end = std::max(end, action.end);
    }
    const Bounds bounds(with, evidence.values, rank);
    const auto seen = static_cast<double>(end - actions.front().begin - busy);
    if (!bounds.hold(seen)) return broken("lab-rule.window-idle", bounds, seen, {{"rank", std::to_string(rank)}}, kNsPerMs);
  }
  return {};
}

/// From the first start of one iteration to that of the next on stage 0, in ns; of the last two.
RuleOutcome period(const LabEvidence& evidence, const RuleWith& with) {
  const auto steps = analysis::pipeline_steps(evidence.trace);
  if (steps.size() < 2) return no_pipeline();
  const auto& last = steps[steps.size() - 1].actions.front();
  const auto& before = steps[steps.size() - 2].actions.front();
  if (last.empty() || before.empty()) return no_pipeline();
  const Bounds bounds(with, evidence.values);
  const auto seen = static_cast<double>(last.front().begin - before.front().begin);
  return bounds.hold(seen) ? RuleOutcome{} : broken("lab-rule.period", bounds, seen, {}, kNsPerMs);
}

}  // namespace

std::span<const LabRule> pipeline_rules() {
  static const std::vector<LabRule> kRules = {
      {"makespan", {}, true, makespan},
      {"bubble", {}, true, bubble},
      {"in-flight", {}, true, peak_in_flight},
      {"order", {{"schedule", Type::word, true}}, false, order},
      {"warm-up", {}, true, warm_up},
      {"complete-step", {{"microbatches", Type::formula, true}, {"chunks", Type::formula}, {"split"}}, false, complete_step},
      {"window-idle", {}, true, window_idle},
      {"period", {}, true, period},
  };
  return kRules;
}

}  // namespace p2plab::check
