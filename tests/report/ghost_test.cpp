// The ideal run under a measured one: a pale row beneath each compute lane, in every medium.
#include "app/analysis/simulated_trace.h"
#include "app/report/draw_timeline.h"
#include "app/report/svg_timeline.h"
#include "app/report/terminal_timeline.h"
#include "tests/report/support.h"
#include "tests/support/catch.h"

using namespace p2plab;

namespace {

trace::Trace pipeline(schedule::Ns latency) {
  schedule::Costs costs;
  costs.times = {{1'000'000, 2'000'000, 0}};
  costs.link.latency_ns = latency;
  const schedule::Program program(schedule::generator("1f1b"), {.shape = {4, 8}});
  trace::Trace out;
  analysis::add_simulated(out, schedule::simulate(program, costs, 1, true), program.layout(), 64);
  return out;
}

}  // namespace

TEST_CASE("under each compute lane lies the ideal one, and messages still end on the measured lane") {
  const trace::Trace trace = pipeline(500'000);
  const auto ideal = analysis::differing_ideal_run(trace);
  REQUIRE(ideal);
  auto rows = report::rows(trace, {.in_flight = true, .fold_in_flight = true, .ideal = &*ideal});
  REQUIRE(rows.size() == 12);
  for (std::size_t rank = 0; rank < 4; ++rank) {
    CHECK(rows[3 * rank].lane == "compute");
    CHECK(rows[3 * rank + 1].ghost);
    CHECK(rows[3 * rank + 2].in_flight);
  }
  const report::View view = report::whole(trace, 1000);
  for (auto& row : rows) report::fill(trace, view, row);
  CHECK(rows[1].blocks.size() == 16);
  const auto tip = report::ghost_tip(trace, rows[1], rows[1].blocks.back(), tests::text());
  CHECK(tip.find("B7") != std::string::npos);
  CHECK(tip.find("31.000 ms") != std::string::npos);  // where the last backward would have begun
  const report::Placement placement = report::place(rows);
  const report::RowOf row_of(trace, rows, placement);
  CHECK(row_of.row(ideal->ranks[0][0].measured) == std::size_t{0});
}

TEST_CASE("SVG and terminal show the ideal where it differs, and nothing where it does not") {
  const std::string late = report::svg_timeline(pipeline(500'000), tests::text()), same = report::svg_timeline(pipeline(0), tests::text());
  CHECK(late.find("ideally") != std::string::npos);
  CHECK(same.find("ideally") == std::string::npos);
  const trace::Trace trace = pipeline(500'000);
  const auto ideal = analysis::differing_ideal_run(trace);
  report::TerminalOptions options;
  options.ideal = &*ideal;
  const std::string terminal = report::terminal_timeline(trace, tests::text(), {}, options);
  CHECK(terminal.find("ideal") != std::string::npos);
  CHECK(report::terminal_timeline(trace, tests::text(), {}).find("ideal") == std::string::npos);
}
