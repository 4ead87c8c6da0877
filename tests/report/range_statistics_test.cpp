// Statistics of a selected stretch of time, against sums made by hand.
#include "app/report/range_statistics.h"

#include "tests/support/catch.h"

using namespace p2plab;
using trace::Kind;

namespace {

void add(trace::Trace& t, const char* lane, Kind kind, trace::Ns begin, trace::Ns end, std::uint8_t flags = 0) {
  trace::Span s;
  s.track = t.track(0, t.intern(lane));
  s.kind = kind;
  s.begin = begin;
  s.end = end;
  s.flags = flags;
  t.begin(s);
}

}  // namespace

TEST_CASE("spans count with their part inside the range") {
  trace::Trace t;
  add(t, "compute", Kind::forward, 0, 100);
  add(t, "compute", Kind::forward, 150, 180);
  add(t, "compute", Kind::backward, 190, 400);
  add(t, "compute", Kind::forward, 500, 600);
  const auto found = report::range_statistics(t, {50, 200});
  REQUIRE(found.kinds.size() == 2);
  CHECK(found.kinds[0].kind == Kind::forward);
  CHECK(found.kinds[0].count == 2);
  CHECK(found.kinds[0].sum == 80);
  CHECK(found.kinds[0].min == 30);
  CHECK(found.kinds[0].mean() == 40);
  CHECK(found.kinds[0].max == 50);
  CHECK(found.kinds[1].count == 1);
  CHECK(found.kinds[1].sum == 10);
}

TEST_CASE("operations in flight are not counted beside the calls that posted them") {
  trace::Trace t;
  add(t, "comm", Kind::send, 0, 10);
  add(t, "in flight", Kind::send, 0, 90, trace::kInFlight);
  const auto found = report::range_statistics(t, {0, 100});
  REQUIRE(found.kinds.size() == 1);
  CHECK(found.kinds[0].count == 1);
  CHECK(found.kinds[0].sum == 10);
}

TEST_CASE("a span that is still running counts up to the newest instant") {
  trace::Trace t;
  add(t, "host", Kind::wait, 40, trace::kOpen);
  t.saw(100);
  const auto found = report::range_statistics(t, {0, 1000});
  REQUIRE(found.kinds.size() == 1);
  CHECK(found.kinds[0].sum == 60);
}

TEST_CASE("an empty range has no kinds and no overlap percentage") {
  trace::Trace t;
  add(t, "compute", Kind::forward, 0, 100);
  const auto found = report::range_statistics(t, {200, 300});
  CHECK(found.kinds.empty());
  CHECK_FALSE(found.overlap.ratio());
}
