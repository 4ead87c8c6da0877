// The exported JSON says what the trace says, by the rules of those who read it.
#include "app/trace/chrome_json.h"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/catch.h"
#include "tests/trace/example_trace.h"
#include "tests/trace/temporary.h"

using namespace p2plab::trace;
using nlohmann::json;

namespace {

std::string exported_text(const Trace& trace) {
  const TemporaryDir dir;
  save_chrome_json(trace, dir / "a.json");
  std::ifstream in(dir / "a.json");
  return {std::istreambuf_iterator<char>(in), {}};
}

json exported(const Trace& trace) { return json::parse(exported_text(trace)); }

// Microseconds with three decimals, as written, back to ns.
Ns ns(const json& number) { return static_cast<Ns>(std::llround(number.get<double>() * 1000)); }

}  // namespace

TEST_CASE("every span is one event of its rank and lane, exact to the nanosecond") {
  const Trace trace = example_trace(5);
  const json file = exported(trace);
  CHECK(file["displayTimeUnit"] == "ns");
  CHECK(file["otherData"]["demo"] == "pipeline");
  CHECK(file["otherData"]["dropped_records"] == 8);
  std::multiset<std::string> want, got;
  for (SpanId id = 0; id < trace.spans().size(); ++id) {
    const Span& span = trace.span(id);
    const Ns end = span.open() ? trace.now() : span.end;
    want.insert(std::to_string(trace.tracks()[span.track].rank) + " " + std::to_string(span.begin) + " " +
                std::to_string(end - span.begin));
  }
  std::map<std::pair<int, int>, std::string> threads;
  Ns last = 0;
  for (const json& event : file["traceEvents"]) {
    if (event["ph"] == "M" && event["name"] == "thread_name")
      threads[{event["pid"], event["tid"]}] = event["args"]["name"];
    if (event["ph"] != "X") continue;
    got.insert(std::to_string(event["pid"].get<int>() - 1) + " " + std::to_string(ns(event["ts"])) + " " +
               std::to_string(ns(event["dur"])));
    CHECK(ns(event["ts"]) >= last);
    last = ns(event["ts"]);
    CHECK(event["tid"].get<int>() >= 1);
  }
  CHECK(want == got);
  CHECK(threads[{1, 1}] == "host");
  CHECK(threads[{1, 7}] == "compute");
  CHECK(threads[{1, 20}] == "comm");
  CHECK(threads[{1, 21}] == "in flight");
}

TEST_CASE("microseconds keep their nanoseconds") {
  Trace trace;
  Span span;
  span.track = trace.track(0, trace.intern("host"));
  span.name = trace.intern("a");
  span.begin = 9'007'199'254'740'993;  // 2^53 + 1: a double would round it
  span.end = span.begin + 5;
  trace.begin(span);
  CHECK(exported_text(trace).find("\"ts\":9007199254740.993,\"dur\":0.005,") != std::string::npos);
}

TEST_CASE("on every thread of the file, slices nest") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const json file = exported(example_trace(seed));
    std::map<std::pair<int, int>, std::vector<std::pair<Ns, Ns>>> threads;
    for (const json& event : file["traceEvents"]) {
      if (event["ph"] == "X")
        threads[{event["pid"], event["tid"]}].push_back({ns(event["ts"]), ns(event["ts"]) + ns(event["dur"])});
    }
    for (const auto& [thread, slices] : threads) {
      std::vector<Ns> stack;
      for (const auto& [begin, end] : slices) {
        while (!stack.empty() && stack.back() <= begin) stack.pop_back();
        REQUIRE((stack.empty() || end <= stack.back()));
        stack.push_back(end);
      }
    }
  }
}

TEST_CASE("a message is a flow from inside the send to inside the receive") {
  Trace trace;
  Span span;
  span.flags = kInFlight;
  span.track = trace.track(0, trace.in_flight_lane());
  span.kind = Kind::send;
  span.peer = 1;
  span.begin = 2000;
  span.end = 5000;
  const SpanId send = trace.begin(span);
  span.track = trace.track(1, trace.in_flight_lane());
  span.kind = Kind::receive;
  span.peer = 0;
  span.begin = 1000;
  span.end = 6000;
  const SpanId receive = trace.begin(span);
  trace.messages().push_back({send, receive, kOpen, kOpen, 6000});
  trace.messages().push_back({send, kNoIndex, kOpen, kOpen, kOpen});  // not received: no arrow
  int starts = 0, ends = 0;
  const json file = exported(trace);
  for (const json& event : file["traceEvents"]) {
    if (event["ph"] == "s") {
      ++starts;
      CHECK(event["pid"] == 1);
      CHECK(event["id"] == 1);
      CHECK(ns(event["ts"]) == 2000);
    } else if (event["ph"] == "f") {
      ++ends;
      CHECK(event["pid"] == 2);
      CHECK(event["id"] == 1);
      CHECK(event["bp"] == "e");
      CHECK(ns(event["ts"]) == 5999);
    } else if (event["ph"] == "X") {
      CHECK(event["args"]["Src Rank"] == 0);
      CHECK(event["args"]["Dst Rank"] == 1);
      CHECK(event["tid"] == 21);
    }
  }
  CHECK(starts == 1);
  CHECK(ends == 1);
}

TEST_CASE("an open span lasts until now and says that it is open") {
  Trace trace;
  Span span;
  span.track = trace.track(0, trace.intern("host"));
  span.kind = Kind::wait;
  span.begin = 100;
  trace.begin(span);
  trace.saw(5100);
  const json file = exported(trace);
  for (const json& event : file["traceEvents"]) {
    if (event["ph"] != "X") continue;
    CHECK(ns(event["dur"]) == 5000);
    CHECK(event["name"] == "wait");
    CHECK(event["args"]["open"] == true);
  }
}

TEST_CASE("names that no encoding allows do not break the file") {
  Trace trace;
  Span span;
  span.track = trace.track(0, trace.intern("host"));
  span.name = trace.intern("bad \xFF\xFE \x01 \" \\ 好");
  span.begin = 0;
  span.end = 1;
  trace.begin(span);
  CHECK_NOTHROW(exported(trace));
}
