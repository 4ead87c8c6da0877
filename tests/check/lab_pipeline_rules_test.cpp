// The rules over pipeline steps, on schedules of the engine: the golden numbers of the schedule labs.
#include <filesystem>
#include <utility>

#include "app/analysis/simulated_trace.h"
#include "app/check/lab_rules.h"
#include "app/check/sim.h"
#include "app/content/text.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::check;

namespace {

constexpr schedule::Ns kUnit = 1'000'000;

/// p = 4, m = 8, F = 1; whole backward of 2, or B = W = 1 where `split`.
trace::Trace step_of(const std::string& name, bool split = false, int iterations = 1) {
  SimRequest request;
  request.schedule = name;
  request.stages = 4;
  request.microbatches = 8;
  request.forward_ns = kUnit;
  request.backward_ns = split ? kUnit : 2 * kUnit;
  if (split) request.weight_ns = kUnit;
  request.iterations = iterations;
  request.keep = true;
  const SimRun run = simulate(request);
  trace::Trace trace;
  trace.run.ranks = 4;
  analysis::add_simulated(trace, run.simulated, run.layout, 64);
  return trace;
}

RuleOutcome judged(const trace::Trace& trace, const std::string& rule, const RuleWith& with) {
  LabCase how;
  how.ranks = 4;
  const LabRule* found = find_lab_rule(rule);
  REQUIRE(found != nullptr);
  REQUIRE(wrong_parameters(*found, with) == "");
  return found->judge({how, trace, {{"p", 4}, {"m", 8}, {"unit", kUnit}}, nullptr}, with);
}

}  // namespace

TEST_CASE("GPipe and 1F1B take 33 units, and differ in what they keep") {
  const trace::Trace gpipe = step_of("gpipe"), one = step_of("1f1b");
  for (const trace::Trace* trace : {&gpipe, &one}) {
    CHECK(judged(*trace, "makespan", {{"exactly", "(m+p-1)*3*unit"}}).pass);
    CHECK(judged(*trace, "bubble", {{"exactly", "(p-1)/(m+p-1)"}}).pass);
    CHECK(judged(*trace, "complete-step", {{"microbatches", "m"}}).pass);
    CHECK_FALSE(judged(*trace, "complete-step", {{"microbatches", "m+1"}}).pass);
  }
  CHECK(judged(gpipe, "in-flight", {{"exactly", "m"}}).pass);
  CHECK_FALSE(judged(gpipe, "in-flight", {{"at_most", "p-rank"}}).pass);
  CHECK(judged(one, "in-flight", {{"exactly", "p-rank"}}).pass);
  CHECK(judged(one, "warm-up", {{"exactly", "p-rank"}}).pass);
  CHECK(judged(one, "order", {{"schedule", "1f1b"}}).pass);
  const RuleOutcome other = judged(gpipe, "order", {{"schedule", "1f1b"}});
  CHECK_FALSE(other.pass);
  CHECK(other.seen["order"].get<std::string>().starts_with("F0 F1 F2"));
}

TEST_CASE("One microbatch at a time takes 96 units") {
  const trace::Trace naive = step_of("naive");
  CHECK(judged(naive, "makespan", {{"exactly", "96*unit"}}).pass);
  CHECK(judged(naive, "in-flight", {{"exactly", "1"}}).pass);
  CHECK_FALSE(judged(naive, "makespan", {{"at_most", "33*unit"}}).pass);
}

TEST_CASE("ZB-H1 takes 27 units with p activations, ZB-H2 has no idle time inside a window") {
  const trace::Trace h1 = step_of("zb-h1", true), h2 = step_of("zb-h2", true);
  CHECK(judged(h1, "complete-step", {{"microbatches", "m"}, {"split", "true"}}).pass);
  CHECK(judged(h1, "makespan", {{"exactly", "27*unit"}}).pass);
  CHECK(judged(h1, "in-flight", {{"at_most", "p"}}).pass);
  CHECK_FALSE(judged(h1, "window-idle", {{"exactly", "0"}}).pass);
  CHECK(judged(h2, "window-idle", {{"exactly", "0"}}).pass);
  CHECK(judged(h2, "in-flight", {{"exactly", "2*p-1"}}).pass);
  CHECK(judged(step_of("zb-h2", true, 3), "period", {{"exactly", "24*unit"}}).pass);
}

TEST_CASE("A trace without a pipeline has no pipeline numbers") {
  trace::Trace empty;
  empty.run.ranks = 4;
  for (const char* rule : {"makespan", "bubble", "in-flight"}) CHECK(judged(empty, rule, {{"exactly", "0"}}).what.id == "lab-rule.no-pipeline");
}

TEST_CASE("A rule about time speaks in milliseconds, in both languages, and hands over nanoseconds") {
  const std::filesystem::path texts = std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/text";
  const content::Text english(texts, content::Language::en), chinese(texts, content::Language::zh);
  const trace::Trace once = step_of("gpipe");
  for (const char* rule : {"makespan", "duration", "exposed", "window-idle"}) {
    const RuleOutcome out = judged(once, rule, {{"at_least", "100*unit"}});
    REQUIRE_FALSE(out.pass);
    CHECK(out.wanted["at_least"] == 100 * kUnit);
    CHECK(english(out.what).find("≥ 100 ms") != std::string::npos);
    CHECK(chinese(out.what).find("≥ 100 ms") != std::string::npos);
  }
  const RuleOutcome every = judged(step_of("zb-h2", true, 2), "period", {{"exactly", "23*unit"}});
  CHECK(english(every.what) == "Expected an iteration every 23 ms, saw 24 ms.");
}
