// The trace model: rows without overlap, whatever the order of arrival.
#include "app/trace/trace.h"

#include <random>

#include "tests/support/catch.h"

using namespace p2plab::trace;

namespace {

Span span_on(TrackId track, Ns begin, Ns end = kOpen, std::uint8_t flags = 0) {
  Span span;
  span.track = track;
  span.begin = begin;
  span.end = end;
  span.flags = flags;
  return span;
}

// Every ended span stands in its row once, the open one is kept apart, and nothing overlaps.
void check_rows(const Trace& trace) {
  for (const Track& track : trace.tracks()) {
    std::size_t indexed = 0;
    for (std::size_t depth = 0; depth < track.rows.size(); ++depth) {
      const Row& row = track.rows[depth];
      Ns last = INT64_MIN;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const Span& span = trace.span(row[i].span);
        REQUIRE(span.depth == depth);
        REQUIRE(span.begin == row[i].begin);
        REQUIRE(span.end == row[i].end);
        REQUIRE(span.begin >= last);
        last = span.end;
      }
      indexed += row.size();
      if (row.open() == kNoIndex) continue;
      REQUIRE(trace.span(row.open()).open());
      REQUIRE(trace.span(row.open()).begin >= last);
      ++indexed;
    }
    REQUIRE(indexed == track.spans.size());
  }
}

}  // namespace

TEST_CASE("nested spans go one row down each and come back up") {
  Trace trace;
  const TrackId host = trace.track(0, trace.intern("host"));
  const SpanId a = trace.begin(span_on(host, 0));
  const SpanId b = trace.begin(span_on(host, 10));
  const SpanId c = trace.begin(span_on(host, 20));
  CHECK(trace.span(c).depth == 2);
  trace.end(c, 30);
  trace.end(b, 40);
  CHECK(trace.span(trace.begin(span_on(host, 50, 60))).depth == 1);
  trace.end(a, 70);
  CHECK(trace.span(trace.begin(span_on(host, 70))).depth == 0);
  check_rows(trace);
}

TEST_CASE("spans that cross on one lane do not share a row") {
  Trace trace;
  const TrackId host = trace.track(0, trace.intern("host"));
  const SpanId a = trace.begin(span_on(host, 0));
  const SpanId b = trace.begin(span_on(host, 10));
  trace.end(a, 20);
  const SpanId c = trace.begin(span_on(host, 30));
  trace.end(b, 40);
  trace.end(c, 50);
  CHECK(trace.span(c).depth == 2);
  check_rows(trace);
}

TEST_CASE("spans in flight take the lowest free row") {
  Trace trace;
  const TrackId flight = trace.track(0, trace.in_flight_lane());
  const SpanId a = trace.begin(span_on(flight, 0, kOpen, kInFlight));
  const SpanId b = trace.begin(span_on(flight, 1, kOpen, kInFlight));
  const SpanId c = trace.begin(span_on(flight, 2, kOpen, kInFlight));
  CHECK(trace.span(c).depth == 2);
  trace.end(b, 5);
  trace.end(a, 6);
  CHECK(trace.span(trace.begin(span_on(flight, 7, kOpen, kInFlight))).depth == 0);
  CHECK(trace.span(trace.begin(span_on(flight, 8, kOpen, kInFlight))).depth == 1);
  CHECK(trace.span(trace.begin(span_on(flight, 9, kOpen, kInFlight))).depth == 3);
  check_rows(trace);
}

TEST_CASE("more than 256 requests in flight keep rows of their own") {
  Trace trace;
  const TrackId flight = trace.track(0, trace.in_flight_lane());
  for (int i = 0; i < 1000; ++i) trace.begin(span_on(flight, i, kOpen, kInFlight));
  CHECK(trace.span(999).depth == 999);
  for (SpanId i = 0; i < 1000; ++i) trace.end(i, 2000);
  CHECK(trace.tracks()[flight].rows.size() == 1000);
  check_rows(trace);
}

TEST_CASE("a span that arrives late does not disturb what lies after it") {
  Trace trace;
  const TrackId flight = trace.track(0, trace.in_flight_lane());
  trace.begin(span_on(flight, 100, 200, kInFlight));
  const SpanId late = trace.begin(span_on(flight, 50, 150, kInFlight));
  CHECK(trace.span(late).depth == 1);
  CHECK(trace.span(trace.begin(span_on(flight, 200, 300, kInFlight))).depth == 0);
  check_rows(trace);
}

TEST_CASE("an end before its begin counts as an empty span, and a second end changes nothing") {
  Trace trace;
  const TrackId host = trace.track(0, trace.intern("host"));
  const SpanId a = trace.begin(span_on(host, 100));
  trace.end(a, 90);
  CHECK(trace.span(a).end == 100);
  trace.end(a, 500);
  CHECK(trace.span(a).end == 100);
  check_rows(trace);
}

TEST_CASE("rows hold whatever order begins, ends and late records come in") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    Trace trace;
    const TrackId host = trace.track(0, trace.intern("host"));
    const TrackId flight = trace.track(0, trace.in_flight_lane());
    std::vector<SpanId> open;
    Ns now = 0;
    for (int i = 0; i < 500; ++i) {
      now += static_cast<Ns>(random() % 10);
      if (open.empty() || random() % 2 == 0) {
        const bool in_flight = random() % 2 == 0;
        const Ns late = random() % 4 == 0 ? static_cast<Ns>(random() % 100) : 0;
        open.push_back(trace.begin(span_on(in_flight ? flight : host, now - late, kOpen, in_flight ? kInFlight : 0)));
      } else {
        const std::size_t which = random() % open.size();
        trace.end(open[which], now);
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
      }
    }
    check_rows(trace);
  }
}
