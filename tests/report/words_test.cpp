// Names of the trace in the reader's language.
#include "app/report/words.h"

#include "app/report/describe.h"
#include "app/report/svg_timeline.h"
#include "tests/report/support.h"
#include "tests/support/catch.h"

using namespace p2plab;

TEST_CASE("names that the lab gives have a Chinese twin, calls and streams are code and stay") {
  const auto zh = tests::text(content::Language::zh), en = tests::text();
  CHECK(report::shown_name("the receiver is busy", zh) == "接收方正忙");
  CHECK(report::shown_name("the receiver is busy", en) == "the receiver is busy");
  CHECK(report::shown_name("produce 12", zh) == "填写 12");
  CHECK(report::shown_name("produce 12", en) == "produce 12");
  for (const char* call : {"send", "MPI_Send", "batch_isend_irecv", "my own span 7", ""}) CHECK(report::shown_name(call, zh) == call);
  CHECK(report::shown_lane("in flight", zh) == "在途");
  CHECK(report::shown_lane("comm in", zh) == "comm in");
  CHECK(report::shown_lane("copy to GPU", zh) == "拷贝到 GPU");
  CHECK(report::shown_lane("direct copy 2", zh) == "直接拷贝 2");
  CHECK(report::has_words("frozen", zh));
  CHECK_FALSE(report::has_words("send", zh));
}

TEST_CASE("a picture in Chinese shows no English name of the lab") {
  trace::Trace t;
  trace::Span span;
  span.track = t.track(0, t.intern("host"));
  span.name = t.intern("the receiver is busy");
  span.begin = 0;
  span.end = 1'000'000;
  t.begin(span);
  const std::string svg = report::svg_timeline(t, tests::text(content::Language::zh));
  CHECK(svg.find("the receiver is busy") == std::string::npos);
  CHECK(svg.find("接收方正忙") != std::string::npos);
}

TEST_CASE("times for people begin at the first span, not at the start of the processes") {
  trace::Trace t;
  trace::Span span;
  span.track = t.track(0, t.intern("host"));
  span.begin = 700'000'000;
  span.end = 710'000'000;
  t.begin(span);
  span.begin = 730'000'000;
  span.end = 800'000'000;
  const auto later = t.begin(span);
  const auto text = tests::text();
  for (const auto& [name, value] : report::describe(t, later, text))
    if (name == text("span.begin")) CHECK(value == "30.000 ms");
  const std::string svg = report::svg_timeline(t, text);
  CHECK(svg.find(">0 ms<") != std::string::npos);
  CHECK(svg.find("700 ms") == std::string::npos);
}
