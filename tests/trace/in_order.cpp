// The order in which rings happened to be read is no part of a saved trace.
#include "app/trace/in_order.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "app/trace/perfetto.h"
#include "tests/support/catch.h"
#include "tests/trace/example_trace.h"
#include "tests/trace/temporary.h"

using namespace p2plab::trace;

namespace {

std::string saved(const Trace& trace) {
  const TemporaryDir dir;
  save_perfetto(trace, dir / "a");
  std::ifstream in(dir / "a", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Three ranks, each with a lane of nested spans, messages around the ring, hashes and notes; read rank by rank in this order.
Trace read_in(std::vector<int> ranks) {
  Trace trace;
  trace.run.ranks = 3;
  std::vector<SpanId> sends(3), receives(3);
  for (const int rank : ranks) {
    Span span;
    span.track = trace.track(rank, trace.intern("host"));
    const auto add = [&](const std::string& name, Kind kind, Ns begin, Ns end) {
      span.name = trace.intern(name);
      span.kind = kind;
      span.begin = begin;
      const SpanId id = trace.begin(span);
      trace.end(id, end);
      return id;
    };
    add("outer " + std::to_string(rank), Kind::wait, 0, 100);
    trace.add(WaitTarget{static_cast<SpanId>(trace.spans().size() - 1), 7 + rank, kNoIndex, 0});
    add("inner", Kind::compute, 10, 20);
    add("inner", Kind::compute, 20, 20);
    span.track = trace.track(rank, trace.in_flight_lane());
    span.flags = kInFlight;
    sends[static_cast<std::size_t>(rank)] = add("", Kind::send, 5, 30);
    receives[static_cast<std::size_t>(rank)] = add("", Kind::receive, 5, 40);
    trace.hashes(sends[static_cast<std::size_t>(rank)]) = {std::uint64_t(rank) + 1, 0, true, false};
    trace.add(Received{receives[static_cast<std::size_t>(rank)], (rank + 2) % 3, 1, 64});
    trace.add(Metric{rank, trace.intern("m"), double(rank)});
    ThreadSample left;  // its last look fell into another wait each time
    left.rank = rank;
    left.lane = trace.intern("host");
    left.state = ThreadState::exited;
    left.since = ranks.front() + 1;
    left.polls = static_cast<std::uint64_t>(ranks.front());
    trace.threads().push_back(left);
    trace.add(Note{rank, trace.intern("n"), trace.intern("note of " + std::to_string(rank))});
  }
  for (const int rank : ranks) trace.messages().push_back({sends[static_cast<std::size_t>(rank)], receives[static_cast<std::size_t>((rank + 1) % 3)], 6, 7, 40});
  return trace;
}

}  // namespace

TEST_CASE("the same records are the same file, in whatever order the ranks were read") {
  const std::string straight = saved(in_order(read_in({0, 1, 2})));
  CHECK(saved(in_order(read_in({2, 0, 1}))) == straight);
  CHECK(saved(in_order(read_in({1, 2, 0}))) == straight);
  CHECK(saved(read_in({1, 2, 0})) != saved(read_in({0, 1, 2})));
}

TEST_CASE("a trace in order holds all that it held, each thing tied to what it was tied to") {
  const Trace before = example_trace(4), after = in_order(before);
  REQUIRE(after.spans().size() == before.spans().size());
  CHECK(after.messages().size() == before.messages().size());
  CHECK(after.wait_targets().size() == before.wait_targets().size());
  CHECK(after.all_hashes().size() == before.all_hashes().size());
  CHECK(after.metrics().size() == before.metrics().size());
  CHECK(after.notes().size() == before.notes().size());
  CHECK(after.events().size() == before.events().size());
  CHECK(after.now() == before.now());
  // By what the two spans of each message are.
  const auto ties = [](const Trace& trace) {
    const auto text = [&](SpanId id) {
      if (id == kNoIndex) return std::string("none");
      const Span& span = trace.span(id);
      return std::to_string(trace.rank_of(id)) + trace.name(trace.tracks()[span.track].lane) + trace.name(span.name) + trace.name(span.site) + std::to_string(span.begin) + "-" +
             std::to_string(span.end) + "#" + std::to_string(span.request);
    };
    std::vector<std::string> out;
    for (const Message& message : trace.messages()) out.push_back(text(message.send) + " > " + text(message.receive) + " " + std::to_string(message.match));
    for (const auto& [id, hashes] : trace.all_hashes()) out.push_back(text(id) + " hash " + std::to_string(hashes.post));
    for (const WaitTarget& target : trace.wait_targets()) out.push_back(text(target.wait) + " waits " + std::to_string(target.request) + " " + std::to_string(target.event));
    std::sort(out.begin(), out.end());
    return out;
  };
  CHECK(ties(after) == ties(before));
  for (SpanId id = 1; id < after.spans().size(); ++id) CHECK(after.span(id - 1).begin <= after.span(id).begin);
}
