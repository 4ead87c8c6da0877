// A saved simulated schedule has the numbers of the simulation that made it.
#include "app/gui/model/sim_numbers.h"

#include "app/analysis/simulated_trace.h"
#include "app/check/sim.h"
#include "app/gui/model/numbers.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::gui;

namespace {

check::SimRun simulated(const std::string& schedule, schedule::Ns latency, int iterations = 1) {
  check::SimRequest request;
  request.schedule = schedule;
  request.stages = 4;
  request.microbatches = 8;
  request.link.latency_ns = latency;
  request.iterations = iterations;
  request.keep = true;
  return check::simulate(request);
}

void add(trace::Trace& trace, const check::SimRun& run, const std::string& lane) {
  trace.run.backend = "sim";
  trace.run.ranks = run.shape.stages;
  trace.run.knobs["microbatches"] = std::to_string(run.shape.microbatches);
  trace.run.knobs["schedule"] = run.name;
  if (run.costs.weight_memory < 1) trace.run.knobs["weight_memory"] = std::to_string(run.costs.weight_memory);
  analysis::add_simulated(trace, run.simulated, run.layout, run.costs.link.bytes, lane, lane == "compute");
}

}  // namespace

TEST_CASE("makespan, bubble, its ideal and the peaks of a saved schedule are those that its simulation had") {
  for (const char* schedule : {"naive", "gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "zb-v", "zb-auto"})
    for (const schedule::Ns latency : {0, 250'000})
      for (const int iterations : {1, 2}) {
        const auto run = simulated(schedule, latency, iterations);
        trace::Trace trace;
        add(trace, run, "compute");
        REQUIRE(is_simulated(trace.run));
        const auto seen = simulated_metrics(trace), said = check::to_json(run)["metrics"];
        INFO(schedule << " latency " << latency << " iterations " << iterations << "\n" << seen.dump() << "\n" << said.dump());
        CHECK(seen["makespan_ns"] == said["makespan_ns"]);
        CHECK(seen["bubble_ratio"].get<double>() == Approx(said["bubble_ratio"].get<double>()));
        REQUIRE(seen["peak_in_flight"].size() == 4);
        if (iterations == 1)
          for (std::size_t stage = 0; stage < 4; ++stage) CHECK(seen["peak_in_flight"][stage].get<double>() == Approx(said["peak_in_flight"][stage].get<double>()));
        REQUIRE(seen.contains("bubble_ideal_ratio") == !said["bubble_ideal_ratio"].is_null());
        if (seen.contains("bubble_ideal_ratio")) CHECK(seen["bubble_ideal_ratio"].get<double>() == Approx(said["bubble_ideal_ratio"].get<double>()));
        if (latency == 0 && seen.contains("bubble_ideal_ratio") && std::string(schedule) == "1f1b") CHECK(seen["makespan_ideal_ns"].get<double>() == Approx(said["makespan_ns"].get<double>()));
      }
}

TEST_CASE("of schedules side by side each has its own makespan and bubble, under its name") {
  trace::Trace trace;
  for (const char* schedule : {"gpipe", "naive"}) add(trace, simulated(schedule, 0), schedule);
  const content::Text text(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/text", content::Language::en);
  const auto all = numbers({}, check::request_from(trace.run), simulated_metrics(trace), nullptr, text);
  REQUIRE(all.size() == 6);
  CHECK(all[0].title == "gpipe · Makespan");
  CHECK(all[0].figure == "33.000 ms");
  CHECK(all[3].title == "naive · Makespan");
  for (const auto& each : all) CHECK_FALSE(each.how.empty());
}

TEST_CASE("a trace without actions has no such numbers") { CHECK(simulated_metrics(trace::Trace{}).empty()); }
