// Which launches and waits between streams become arrows.
#include "app/report/stream_arrows.h"

#include "tests/support/catch.h"

using namespace p2plab;

namespace {

trace::SpanId span(trace::Trace& t, const char* lane, trace::Kind kind, trace::Ns begin, trace::Ns end, int request = trace::kNone) {
  trace::Span s;
  s.track = t.track(0, t.intern(lane));
  s.kind = kind;
  s.begin = begin;
  s.end = end;
  s.request = request;
  return t.begin(s);
}

/// The wait waits for the event.
void waits_for(trace::Trace& t, trace::SpanId wait, std::uint64_t event) {
  trace::WaitTarget target;
  target.wait = wait;
  target.event = event;
  t.add(target);
}

}  // namespace

TEST_CASE("a launch points from the host's call to the work on its stream, whichever was read first") {
  trace::Trace t;
  const auto work = span(t, "compute", trace::Kind::forward, 300, 900, 7);
  const auto launch = span(t, "host", trace::Kind::other, 100, 120, 7);
  span(t, "host", trace::Kind::other, 130, 140);  // an annotation launches nothing
  const auto found = report::stream_arrows(t);
  REQUIRE(found.size() == 1);
  CHECK(found[0].send == launch);
  CHECK(found[0].receive == work);
  CHECK(found[0].begin == 100);
  CHECK(found[0].end == 300);
  CHECK(found[0].inside);
  CHECK(report::at_span(found, work).size() == 1);
  CHECK(report::at_span(found, launch).size() == 1);
  CHECK(report::in_view(found, 400, 500).empty());
}

TEST_CASE("a group is pointed at by the call that enqueued its first message") {
  trace::Trace t;
  const auto launch = span(t, "host", trace::Kind::other, 10, 20, 3);
  const auto group = span(t, "comm", trace::Kind::send, 30, 90);
  trace::WaitTarget target;
  target.wait = group;
  target.request = 3;
  t.add(target);
  const auto found = report::stream_arrows(t);
  REQUIRE(found.size() == 1);
  CHECK(found[0].send == launch);
  CHECK(found[0].receive == group);
}

TEST_CASE("a wait points back to what the other stream did before it came to the event") {
  trace::Trace t;
  span(t, "compute", trace::Kind::compute, 0, 100);
  const auto before = span(t, "compute", trace::Kind::compute, 100, 400);
  span(t, "compute", trace::Kind::compute, 410, 600);  // behind the event
  const auto wait = span(t, "comm", trace::Kind::wait, 50, 405);
  t.event_recorded(0, 5, t.span(before).track, 60);
  t.event_reached(0, 5, 401);
  waits_for(t, wait, 5);
  const auto found = report::stream_arrows(t);
  REQUIRE(found.size() == 1);
  CHECK(found[0].send == before);
  CHECK(found[0].receive == wait);
  CHECK(found[0].begin == 400);
  CHECK(found[0].end == 401);
}

TEST_CASE("an event that was reached before anybody waited has no arrow") {
  trace::Trace t;
  const auto work = span(t, "compute", trace::Kind::compute, 0, 100);
  const auto wait = span(t, "host", trace::Kind::wait, 200, 300);
  t.event_recorded(0, 1, t.span(work).track, 10);
  t.event_reached(0, 1, 101);
  waits_for(t, wait, 1);
  CHECK(report::stream_arrows(t).empty());
}

TEST_CASE("a wait that is not over, or whose event was not reached, has no arrow") {
  trace::Trace t;
  const auto work = span(t, "compute", trace::Kind::compute, 0, 100);
  const auto open = span(t, "comm", trace::Kind::wait, 50, trace::kOpen);
  t.event_recorded(0, 1, t.span(work).track, 60);
  waits_for(t, open, 1);
  CHECK(report::stream_arrows(t).empty());
  t.event_reached(0, 1, 101);
  CHECK(report::stream_arrows(t).empty());
  t.end(open, 110);
  CHECK(report::stream_arrows(t).size() == 1);
}

TEST_CASE("of many arrows in view some are shown, spread evenly") {
  std::vector<report::Arrow> many(10);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = {.send = static_cast<trace::SpanId>(i), .begin = static_cast<trace::Ns>(10 * i), .end = static_cast<trace::Ns>(10 * i + 5)};
  const auto shown = report::in_view(many, 0, 1000, 3);
  REQUIRE(shown.size() == 3);
  CHECK(shown[0].send == 0);
  CHECK(shown[1].send == 3);
  CHECK(shown[2].send == 6);
  CHECK(report::in_view(many, 0, 1000).size() == 10);
  CHECK(report::in_view(many, 42, 61, 3).size() == 3);
}
