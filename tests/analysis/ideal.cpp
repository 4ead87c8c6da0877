// A measured step beside its ideal: lags, and what a fit takes from it.
#include "app/analysis/ideal_run.h"
#include "app/analysis/simulated_trace.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::schedule;

namespace {

/// A simulated run stands for a measured one: its transfers and its unequal microbatches are what the ideal leaves out.
trace::Trace measured(std::string_view id, Costs costs, int p = 4, int m = 8, std::uint64_t bytes = 64) {
  const Generator& one = generator(id);
  const Program program(one, {.shape = {p, m, one.chunks}});
  trace::Trace out;
  analysis::add_simulated(out, simulate(program, costs, 1, true), program.layout(), bytes);
  return out;
}

Costs costs(Ns latency) {
  Costs out;
  out.times = {{10, 20, 0}};
  out.link.latency_ns = latency;
  return out;
}

}  // namespace

TEST_CASE("without transfers a run is its own ideal, and there is nothing to lay under it") {
  const trace::Trace trace = measured("1f1b", costs(0));
  const auto ideal = analysis::ideal_run(trace);
  REQUIRE(ideal);
  CHECK(ideal->end - ideal->begin == 330);
  for (const auto& rank : ideal->ranks)
    for (const auto& span : rank) CHECK(span.lag == 0);
  CHECK_FALSE(analysis::differing_ideal_run(trace));
}

TEST_CASE("each action lags by what transfers have cost on the way to it") {
  const trace::Trace trace = measured("1f1b", costs(3), 2, 1);  // F0 10, over in 3, F0 10, B0 20, back in 3, B0 20
  const auto ideal = analysis::differing_ideal_run(trace);
  REQUIRE(ideal);
  REQUIRE(ideal->ranks.size() == 2);
  CHECK(ideal->ranks[0][0].lag == 0);
  CHECK(ideal->ranks[1][0].lag == 3);
  CHECK(ideal->ranks[1][1].lag == 3);
  CHECK(ideal->ranks[0][1].lag == 6);
  CHECK(ideal->end == 60);
  for (const auto& rank : ideal->ranks)
    for (const auto& span : rank) CHECK(trace.span(span.measured).begin - span.begin == span.lag);
}

TEST_CASE("the ideal keeps each stage's own mean, so a slow stage is no lag but a slow microbatch is") {
  Costs slow_stage = costs(0);
  slow_stage.times.assign(4, {10, 20, 0});
  slow_stage.times[2] = {15, 30, 0};
  CHECK_FALSE(analysis::differing_ideal_run(measured("gpipe", slow_stage)));
  Costs slow_once = costs(0);
  slow_once.times.assign(4 * 8, {10, 20, 0});
  slow_once.times[2 * 8 + 3] = {90, 20, 0};  // F3 on stage 2
  const auto ideal = analysis::differing_ideal_run(measured("gpipe", slow_once));
  REQUIRE(ideal);
  CHECK(ideal->ranks[3][3].lag > 0);
}

TEST_CASE("chunks and split backwards have an ideal, too") {
  for (const char* id : {"interleaved-1f1b", "zb-h1", "zb-v"}) {
    Costs split = costs(4);
    split.times = {{10, 10, 10}};
    const auto ideal = analysis::differing_ideal_run(measured(id, split));
    INFO(id);
    REQUIRE(ideal);
    CHECK(ideal->end > 0);
  }
}

TEST_CASE("a fit finds the times and the latency that a step was made with, and predicts that step") {
  Costs made = costs(7);
  made.times = {{10, 20, 0}, {12, 20, 0}, {10, 25, 0}, {10, 20, 0}};
  const trace::Trace trace = measured("1f1b", made);
  const analysis::Fit fit = analysis::fit(trace);
  CHECK(fit.measured.stages == made.times);
  CHECK(fit.link.latency_ns == 7);
  CHECK(fit.link.bytes_per_s == 0);  // one size tells nothing of it
  CHECK(fit.messages == 48);
  Costs again;
  again.times = fit.measured.stages;
  again.link = fit.link;
  CHECK(simulate(Program(fit.measured.schedule), again).makespan == fit.step_ns);
}

TEST_CASE("an unfinished step has neither ideal nor fit") {
  trace::Trace trace;
  CHECK_FALSE(analysis::ideal_run(trace));
  CHECK_THROWS(analysis::fit(trace));
}
