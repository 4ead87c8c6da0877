// One clock for all ranks of a host.
#include "app/trace/clock.h"

#include "app/trace/control.h"
#include "app/trace/error.h"
#include "app/trace/other_build.h"
#include "tests/support/catch.h"
#include "tests/trace/temporary.h"

using namespace p2plab;
using namespace p2plab::trace;

TEST_CASE("the trace's clock agrees with the system's to within its stated error and a thousandth") {
  const ClockScale clock = ClockScale::calibrate();
  Ns worst = 0;
  for (int i = 0; i < 5; ++i) {
    // The best of several pairs: a pair that was interrupted says nothing about the clock.
    Ns best = INT64_MAX;
    for (int k = 0; k < 50; ++k) {
      const Ns before = monotonic_ns();
      const Ns ours = clock.to_ns(clock.now());
      static Ns first_system = before, first_ours = ours;
      const Ns difference = (before - first_system) - (ours - first_ours);
      best = std::min(best, difference < 0 ? -difference : difference);
    }
    worst = std::max(worst, best);
  }
  CHECK(worst < 100'000);
}

TEST_CASE("ticks become nanoseconds on one straight line, before and after the origin") {
  ClockScale clock;
  clock.origin = 1000;
  clock.ns_per_tick = 0.5;
  CHECK(clock.to_ns(1000) == 0);
  CHECK(clock.to_ns(3000) == 1000);
  CHECK(clock.to_ns(0) == -500);
}

TEST_CASE("the control page carries the clock and the seed to every rank") {
  const TemporaryDir dir;
  const Control lab = Control::create(dir.path(), 3, 42);
  const Control rank = Control::open(dir.path());
  CHECK(rank.page().seed == 42);
  CHECK(rank.page().ranks == 3);
  CHECK(rank.page().clock.origin == lab.page().clock.origin);
  lab.page().rank[1].delay_ns = 77;
  CHECK(rank.page().rank[1].delay_ns == 77);
  CHECK(rank.page().rank[2].step_credits == -1);
}

TEST_CASE("a control page of another build is refused before anything else of it is read, and the lab learns who refused") {
  const TemporaryDir dir;
  const Control lab = Control::create(dir.path(), 2, 1);
  CHECK(other_build(dir.path()).empty());
  lab.page().magic += 1;
  try {
    Control::open(dir.path());
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.text().id == "job.other_build");
    CHECK(error.exit_status() == 3);
  }
  CHECK(other_build(dir.path()).find("test-trace") != std::string::npos);
}

TEST_CASE("a folder without a control page is an error") {
  const TemporaryDir dir;
  CHECK_THROWS_AS(Control::open(dir.path()), Error);
}
