// What only the profiling layer tells: whom a wildcard really matched, what was cancelled, probes, and who is a member.
#include "app/analysis/operations.h"
#include "app/analysis/wait_for.h"
#include "tests/analysis/hand_made.h"
#include "tests/support/catch.h"

using namespace hand_made;
using p2plab::analysis::Operations;
using p2plab::analysis::wait_for_graph;

TEST_CASE("A wildcard that took the later message gives the earlier one back to the receive that names its source") {
  Run run(3);
  const Op from_1 = run.post(1, Kind::send, 0, 5, 10);
  const Op from_2 = run.post(2, Kind::send, 0, 5, 20);
  const Op any = run.post(0, Kind::receive, kNone, 5, 30);
  const Op named = run.post(0, Kind::receive, 1, 5, 40);
  Operations operations;
  operations.update(run.trace);
  CHECK(operations.partner(any.flight) == from_1.flight);  // the first that fits, for want of better knowledge
  CHECK(operations.partner(named.flight) == kNoIndex);
  run.trace.add(Received{any.flight, 2, 5, 64});
  operations.update(run.trace);
  CHECK(operations.partner(any.flight) == from_2.flight);
  CHECK(operations.partner(named.flight) == from_1.flight);
  CHECK(operations.unmatched(run.trace).empty());
  CHECK(operations.pairs().size() == 2);
}

TEST_CASE("What a wildcard took is no longer there for a receive that names the source: that rank waits in vain") {
  Run run(2);
  run.post(1, Kind::send, 0, 5, 10);
  run.post(1, Kind::send, 0, 6, 11);
  const Op any = run.post(0, Kind::receive, 1, kNone, 20);
  const Op named = run.post(0, Kind::receive, 1, 5, 30, {.blocking = true});
  run.trace.add(Received{any.flight, 1, 5, 64});
  run.complete(any, 25);
  run.thread(0, ThreadState::blocked, named.call);
  run.thread(1, ThreadState::exited);
  CHECK(wait_for_graph(run.trace).stuck == std::vector<TrackId>{run.track(0)});
}

TEST_CASE("A cancelled receive takes no message") {
  Run run(2);
  const Op cancelled = run.post(0, Kind::receive, 1, 5, 10);
  run.trace.withdraw(cancelled.flight);
  Operations operations;
  operations.update(run.trace);
  const Op send = run.post(1, Kind::send, 0, 5, 20);
  const Op receive = run.post(0, Kind::receive, 1, 5, 30);
  operations.update(run.trace);
  CHECK(operations.partner(send.flight) == receive.flight);
}

TEST_CASE("A probe waits for a message that fits, and for nobody once there is one") {
  Run run(2);
  const SpanId probe = run.span(0, Kind::wait, 10, kOpen, {}, kBlocking);
  WaitTarget target;
  target.wait = probe;
  target.comm = run.trace.intern("world");
  target.peer = 1;
  target.tag = 4;
  run.trace.add(target);
  run.thread(0, ThreadState::blocked, probe);
  run.thread(1, ThreadState::exited);
  CHECK_FALSE(wait_for_graph(run.trace).stuck.empty());
  run.post(1, Kind::send, 0, 4, 5);
  CHECK(wait_for_graph(run.trace).stuck.empty());
}

TEST_CASE("A collective waits for the members of its communicator alone") {
  Run run(3);
  run.trace.members(run.trace.intern("pair"), {0, 1});
  const SpanId barrier = run.collective(0, 0, 10, {.comm = "pair"});
  run.collective(1, 0, 12, {.comm = "pair"});
  run.thread(0, ThreadState::blocked, barrier);
  run.thread(1, ThreadState::exited);
  run.thread(2, ThreadState::exited);
  CHECK(wait_for_graph(run.trace).stuck.empty());
}

TEST_CASE("Polling is not waiting, but would be stuck if it went on for ever") {
  Run run(2);
  const Op receive = run.post(0, Kind::receive, 1, 5, 10);
  const SpanId polling = run.span(0, Kind::wait, 20, kOpen, {}, kAny | kPolling);
  run.trace.add(WaitTarget{polling, receive.request});
  run.thread(0, ThreadState::polling, polling);
  run.thread(1, ThreadState::exited);
  CHECK(wait_for_graph(run.trace).stuck.empty());
  CHECK(p2plab::analysis::polling_graph(run.trace).stuck.size() == 1);
}
