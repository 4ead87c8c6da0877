// Overlap: half-open unions, with numbers worked out by hand.
#include "app/analysis/overlap.h"

#include "tests/analysis/hand_made.h"
#include "tests/support/catch.h"

using namespace hand_made;
using namespace p2plab::analysis;

TEST_CASE("Overlap is the length of what the unions of both kinds share") {
  Run run(2);
  run.span(0, Kind::forward, 0, 10, {.lane = "compute"});
  run.span(0, Kind::backward, 20, 30, {.lane = "compute"});
  run.span(0, Kind::send, 5, 12, {.lane = "comm"});
  run.span(0, Kind::receive, 8, 22, {.lane = "comm"});  // overlaps the send: counted once
  run.span(0, Kind::wait, 0, 30, {});                     // neither
  run.span(1, Kind::compute, 0, 100, {.lane = "compute"});

  const Overlap zero = overlap(run.trace, 0, {0, 30});
  CHECK(zero.compute_ns == 20);
  CHECK(zero.comm_ns == 17);     // [5, 22)
  CHECK(zero.overlap_ns == 7);   // [5, 10) and [20, 22)
  CHECK(zero.exposed_ns() == 10);
  CHECK(zero.ratio() == Approx(7.0 / 17.0));

  const Overlap one = overlap(run.trace, 1, {0, 30});
  CHECK(one.compute_ns == 30);
  CHECK_FALSE(one.ratio());

  const Overlap both = overlap(run.trace, {0, 30});
  CHECK(both.compute_ns == 50);
  CHECK(both.overlap_ns == 7);
}

TEST_CASE("Intervals are half open: what only touches does not overlap, and a window cuts") {
  Run run(1);
  run.span(0, Kind::compute, 0, 10, {.lane = "compute"});
  run.span(0, Kind::collective, 10, 20, {.lane = "comm"});
  CHECK(overlap(run.trace, 0, {0, 20}).overlap_ns == 0);
  CHECK(overlap(run.trace, 0, {0, 20}).comm_ns == 10);
  CHECK(overlap(run.trace, 0, {4, 12}).compute_ns == 6);
  CHECK(overlap(run.trace, 0, {4, 12}).comm_ns == 2);
  CHECK(overlap(run.trace, 0, {12, 12}).comm_ns == 0);
}

TEST_CASE("Nested and empty spans add nothing") {
  Run run(1);
  run.span(0, Kind::compute, 0, 10);
  run.span(0, Kind::forward, 2, 8);
  run.span(0, Kind::backward, 5, 5);
  CHECK(overlap(run.trace, 0, {0, 10}).compute_ns == 10);
}

TEST_CASE("The whole run goes from the first begin to the last end; now bounds what is open") {
  Run run(1);
  CHECK(whole_run(run.trace).end == 0);
  run.span(0, Kind::other, 0, 500);
  run.span(0, Kind::compute, 100, 200);
  run.post(0, Kind::send, 0, 0, 150);
  run.trace.saw(700);
  CHECK(whole_run(run.trace).begin == 100);
  CHECK(whole_run(run.trace).end == 700);
  CHECK(overlap(run.trace, 0, whole_run(run.trace)).comm_ns == 550);
  CHECK(overlap(run.trace, 0, whole_run(run.trace)).overlap_ns == 50);
}
