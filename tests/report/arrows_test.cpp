// Which messages become arrows.
#include "app/report/timeline_arrows.h"

#include "tests/support/catch.h"
#include "tests/support/synthetic_trace.h"

using namespace p2plab;

namespace {

trace::SpanId flight(trace::Trace& t, int rank, trace::Ns begin, trace::Ns end, int request) {
  trace::Span s;
  s.track = t.track(rank, t.in_flight_lane());
  s.flags = trace::kInFlight;
  s.begin = begin;
  s.end = end;
  s.request = request;
  return t.begin(s);
}

void message(trace::Trace& t, trace::SpanId send, trace::SpanId receive, trace::Ns completion) {
  trace::Message m;
  m.send = send;
  m.receive = receive;
  m.completion = completion;
  t.messages().push_back(m);
}

}  // namespace

TEST_CASE("an arrow goes from where the send was posted to where the receive completed") {
  trace::Trace t;
  message(t, flight(t, 0, 100, 300, 1), flight(t, 1, 50, 320, 1), 320);
  const auto found = report::arrows(t, 0, 1000);
  REQUIRE(found.shown.size() == 1);
  CHECK(found.shown[0].begin == 100);
  CHECK(found.shown[0].end == 320);
  CHECK_FALSE(found.shown[0].pending);
  CHECK_FALSE(found.shown[0].uncertain);
}

TEST_CASE("a message that crosses the view with both ends outside is kept") {
  trace::Trace t;
  message(t, flight(t, 0, 0, 1000, 1), flight(t, 1, 0, 1000, 1), 1000);
  CHECK(report::arrows(t, 400, 500).shown.size() == 1);
  CHECK(report::arrows(t, 2000, 3000).shown.empty());
}

TEST_CASE("a message that has not completed reaches to the newest instant") {
  trace::Trace t;
  message(t, flight(t, 0, 100, trace::kOpen, 1), flight(t, 1, 120, trace::kOpen, 1), trace::kOpen);
  t.saw(900);
  report::MessageIndex index;
  index.update(t);
  const auto found = index.arrows(t, 0, 1000);
  REQUIRE(found.shown.size() == 1);
  CHECK(found.shown[0].pending);
  CHECK(found.shown[0].end == 900);

  t.messages()[0].completion = 950;
  t.saw(2000);
  index.update(t);
  CHECK(index.arrows(t, 960, 2000).shown.empty());
  CHECK_FALSE(index.arrows(t, 0, 1000).shown[0].pending);
}

TEST_CASE("an arrow shorter than the clocks' error, or backwards, is marked uncertain") {
  trace::Trace t;
  t.run.clock_error_ns = 50;
  message(t, flight(t, 0, 100, 140, 1), flight(t, 1, 90, 140, 1), 140);
  message(t, flight(t, 0, 500, 520, 2), flight(t, 1, 400, 480, 2), 480);
  for (const auto& arrow : report::arrows(t, 0, 1000).shown) CHECK(arrow.uncertain);
}

TEST_CASE("many messages are capped, the rest is counted, and they are spread over the view") {
  trace::Trace t;
  for (int i = 0; i < 20'000; ++i) {
    const trace::Ns at = i * 100;
    message(t, flight(t, 0, at, at + 80, i), flight(t, 1, at, at + 90, i), at + 90);
  }
  const auto found = report::arrows(t, 0, 2'000'000, 500);
  CHECK(found.shown.size() == 500);
  CHECK(static_cast<double>(found.left_out) == Approx(19'500).epsilon(0.01));
  CHECK(found.shown.front().begin < 20'000);
  CHECK(found.shown.back().begin > 1'900'000);
}

TEST_CASE("few messages are all shown and none is counted as left out") {
  const trace::Trace t = synthetic::pipeline();
  const auto found = report::arrows(t, 0, t.now() + 1);
  CHECK(found.shown.size() == 48);  // 3 links, 8 microbatches, both ways
  CHECK(found.left_out == 0);
}

TEST_CASE("the messages of a call are those of the operation it posted") {
  const trace::Trace t = synthetic::pipeline();
  report::MessageIndex index;
  index.update(t);
  const auto& message = t.messages()[5];
  REQUIRE(index.of(t, message.send).size() == 1);
  CHECK(index.of(t, message.send)[0].receive == message.receive);
  for (trace::SpanId id = 0; id < t.spans().size(); ++id)
    if (t.name(t.tracks()[t.span(id).track].lane) == "comm") CHECK(index.of(t, id).size() == 1);
}

TEST_CASE("a line is clipped to the box, a line that misses it is dropped") {
  const auto crossing = report::clip({-100, 50, 300, 50}, 0, 0, 200, 100);
  REQUIRE(crossing);
  CHECK(crossing->x0 == Approx(0));
  CHECK(crossing->x1 == Approx(200));
  const auto steep = report::clip({50, -1000, 60, 1000}, 0, 0, 200, 100);
  REQUIRE(steep);
  CHECK(steep->y0 == Approx(0));
  CHECK(steep->y1 == Approx(100));
  CHECK_FALSE(report::clip({-100, 0, -50, 100}, 0, 0, 200, 100));
  CHECK_FALSE(report::clip({0, 300, 300, 200}, 0, 0, 200, 100));
  CHECK(report::clip({10, 10, 20, 20}, 0, 0, 200, 100)->x0 == Approx(10));
}
