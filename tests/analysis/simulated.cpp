// A simulated run as a trace: the numbers that are read from the trace are those that the virtual clock counted itself.
#include "app/analysis/matching.h"
#include "app/analysis/measured_times.h"
#include "app/analysis/pipeline.h"
#include "app/analysis/simulated_trace.h"
#include "app/schedule/faults.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::schedule;

namespace {

struct Case {
  Program program;
  Simulated simulated;
  trace::Trace trace;
};

Case simulated(const Generator& generator, int p, int m, Ns latency, int iterations = 1, int slow = -1) {
  Costs costs;
  costs.times.assign(static_cast<std::size_t>(p), {24, 36, generator.splits ? 12 : 0});
  if (slow >= 0) costs.times[static_cast<std::size_t>(slow)] = {48, 72, generator.splits ? 24 : 0};
  costs.link.latency_ns = latency;
  costs.link.bytes = 64;
  Case out{Program(generator, {.shape = {p, m, generator.chunks}}), {}, {}};
  out.simulated = simulate(out.program, costs, iterations, true);
  analysis::add_simulated(out.trace, out.simulated, out.program.layout(), 64);
  return out;
}

}  // namespace

TEST_CASE("makespan, busy time, memory and idle time of every schedule are the same in the trace") {
  for (const Generator& generator : generators())
    for (int p : {2, 3, 4})
      for (Ns latency : {0, 5})
        for (int slow : {-1, 1}) {
          INFO(generator.id << " p=" << p << " latency=" << latency << " slow=" << slow);
          const Case one = simulated(generator, p, 2 * p, latency, 1, slow);
          const auto numbers = analysis::pipeline_numbers(one.trace);
          CHECK(numbers.step_ns == one.simulated.makespan);
          CHECK(numbers.stages == p);
          CHECK(numbers.microbatches == 2 * p);
          CHECK(numbers.bubble_ratio == Approx(one.simulated.bubble_ratio()));
          Ns idle = 0, causes = 0;
          for (std::size_t s = 0; s < one.simulated.stages.size(); ++s) {
            CHECK(numbers.busy_ns[s] == one.simulated.stages[s].busy);
            CHECK(std::llround(1000 * numbers.peak_in_flight[s] * generator.chunks) == one.simulated.stages[s].peak);
            idle += one.simulated.makespan - one.simulated.stages[s].busy;
          }
          for (const auto& [cause, ns] : numbers.causes) {
            CHECK(ns >= 0);
            causes += ns;
          }
          CHECK(causes == idle);
          CHECK(one.trace.messages().size() == static_cast<std::size_t>(one.simulated.messages));
        }
}

TEST_CASE("the matcher finds the messages of a simulated run where the adapter put them") {
  for (const char* id : {"1f1b", "interleaved-1f1b", "zb-v"}) {
    Case one = simulated(generator(id), 4, 8, 5, 2);
    std::vector<std::pair<trace::SpanId, trace::SpanId>> wanted, found;
    for (const trace::Message& message : one.trace.messages()) wanted.emplace_back(message.send, message.receive);
    one.trace.messages().clear();
    analysis::Matcher().update(one.trace);
    for (const trace::Message& message : one.trace.messages()) found.emplace_back(message.send, message.receive);
    std::sort(wanted.begin(), wanted.end());
    std::sort(found.begin(), found.end());
    CHECK(found == wanted);
  }
}

TEST_CASE("iterations of interleaved stages are told apart although a forward of a microbatch repeats on every chunk") {
  const Case one = simulated(generator("interleaved-1f1b"), 4, 8, 0, 3);
  CHECK(analysis::pipeline_numbers(one.trace).iterations.size() == 3);
}

TEST_CASE("times and order read from a trace simulate to the run that left it") {
  for (const Generator& generator : generators()) {
    if (generator.meets) continue;  // what meets leaves no messages
    INFO(generator.id);
    const Case one = simulated(generator, 4, 8, 5, 1, 2);
    const analysis::MeasuredTimes measured = analysis::measured_times(one.trace);
    CHECK(measured.stages[0] == StageTime{24, 36, generator.splits ? 12 : 0});
    CHECK(measured.stages[2] == StageTime{48, 72, generator.splits ? 24 : 0});
    CHECK(measured.schedule.layout == one.program.layout());
    Costs costs;
    costs.times = measured.stages;
    costs.link.latency_ns = 5;
    CHECK(simulate(Program(measured.schedule), costs).makespan == one.simulated.makespan);
  }
}

TEST_CASE("a trace without a complete step has no measured times") {
  CHECK_THROWS(analysis::measured_times(trace::Trace()));
  trace::Trace half;
  trace::Span span;
  span.track = half.track(0, half.intern("compute"));
  span.kind = trace::Kind::forward;
  span.microbatch = 0;
  half.end(half.begin(span), 10);
  CHECK_THROWS(analysis::measured_times(half));
}
