// The wait-for graph on traces made by hand: who is stuck, and around which cycle.
#include "app/analysis/wait_for.h"

#include <algorithm>

#include "tests/analysis/hand_made.h"
#include "tests/support/catch.h"

using namespace hand_made;
using namespace p2plab::analysis;

namespace {

constexpr auto kBlocked = ThreadState::blocked;

std::vector<TrackId> sorted(std::vector<TrackId> tracks) {
  std::sort(tracks.begin(), tracks.end());
  return tracks;
}

// Both ranks of `run` stand in a blocking send to the other.
void both_send(Run& run) {
  const Op a = run.post(0, Kind::send, 1, 3, 100, {.blocking = true, .bytes = 1 << 20, .site = "d.cpp:10"});
  const Op b = run.post(1, Kind::send, 0, 3, 200, {.blocking = true, .bytes = 1 << 20, .site = "d.cpp:12"});
  run.thread(0, kBlocked, a.call).since = 100;
  run.thread(1, kBlocked, b.call).since = 200;
}

}  // namespace

TEST_CASE("Two ranks that send first wait for each other") {
  Run run(2);
  both_send(run);
  const WaitForGraph graph = wait_for_graph(run.trace);
  CHECK(sorted(graph.stuck) == sorted({run.track(0), run.track(1)}));
  CHECK(graph.cycle.size() == 2);

  const Finding finding = deadlock_finding(run.trace, graph);
  CHECK(finding.kind == "deadlock");
  CHECK(finding.certainty == Certainty::proven);
  REQUIRE(finding.sites.size() == 2);
  CHECK(finding.sites[0].rank == 0);
  CHECK(finding.sites[0].call == "send");
  CHECK(finding.sites[0].file == "d.cpp");
  CHECK(finding.sites[0].line == 10);
  CHECK(finding.sites[0].peer == 1);
  CHECK(finding.sites[0].tag == 3);
  CHECK(finding.sites[0].comm == "world");
  CHECK(finding.sites[0].bytes == 1 << 20);
  CHECK(finding.sites[1].line == 12);
  CHECK(finding.detail.id == "finding-detail.deadlock");
}

TEST_CASE("Detaching the buffer waits for whoever has not received a buffered message") {
  Run run(2);
  const Op sent = run.post(0, Kind::send, 1, 3, 10, {.blocking = true, .name = "MPI_Bsend"});
  run.complete(sent, 20);
  const SpanId detach = run.span(0, Kind::wait, 30, kOpen, {.site = "d.c:9", .name = "MPI_Buffer_detach"});
  run.thread(0, kBlocked, detach);
  const Op other = run.post(1, Kind::receive, 0, 4, 40, {.blocking = true});
  run.thread(1, kBlocked, other.call);
  const WaitForGraph graph = wait_for_graph(run.trace);
  CHECK(graph.cycle.size() == 2);
  const Finding finding = deadlock_finding(run.trace, graph);
  REQUIRE(finding.sites.size() == 2);
  CHECK(finding.sites[0].call == "MPI_Buffer_detach");
  CHECK(finding.sites[0].peer == 1);

  run.post(1, Kind::receive, 0, 3, 50);
  CHECK(wait_for_graph(run.trace).stuck.empty());
}

TEST_CASE("A pair that is matched and still moving bytes is no edge") {
  Run run(2);
  const Op send = run.post(0, Kind::send, 1, 0, 10, {.blocking = true});
  const Op receive = run.post(1, Kind::receive, 0, 0, 20, {.blocking = true});
  run.thread(0, kBlocked, send.call);
  run.thread(1, kBlocked, receive.call);
  const WaitForGraph graph = wait_for_graph(run.trace);
  CHECK(graph.stuck.empty());
  for (const WaitNode& node : graph.nodes) CHECK(node.needs.empty());
}

TEST_CASE("A ring of four is reported around the ring, whatever rank stands beside it") {
  Run run(5);
  for (int rank = 0; rank < 4; ++rank) {
    const Op op = run.post(rank, Kind::receive, (rank + 1) % 4, 0, rank, {.blocking = true});
    run.thread(rank, kBlocked, op.call);
  }
  const Op victim = run.post(4, Kind::receive, 2, 0, 5, {.blocking = true});
  run.thread(4, kBlocked, victim.call);
  const WaitForGraph graph = wait_for_graph(run.trace);
  CHECK(graph.stuck.size() == 5);
  CHECK(graph.cycle == std::vector<TrackId>{run.track(0), run.track(1), run.track(2), run.track(3)});
}

TEST_CASE("A rank that runs may still release those that wait for it") {
  Run run(3);
  const Op a = run.post(0, Kind::receive, 1, 0, 0, {.blocking = true});
  const Op b = run.post(1, Kind::receive, 2, 0, 0, {.blocking = true});
  run.thread(0, kBlocked, a.call);
  run.thread(1, kBlocked, b.call);
  run.thread(2, ThreadState::running);
  CHECK(wait_for_graph(run.trace).stuck.empty());
}

TEST_CASE("Waiting for a rank that has left is a deadlock without a cycle") {
  Run run(3);
  const Op a = run.post(0, Kind::receive, 1, 4, 0, {.blocking = true, .site = "x.c:7"});
  const Op b = run.post(2, Kind::receive, 0, 4, 0, {.blocking = true});
  run.thread(0, kBlocked, a.call);
  run.thread(1, ThreadState::exited);
  run.thread(2, kBlocked, b.call);
  const WaitForGraph graph = wait_for_graph(run.trace);
  CHECK(sorted(graph.stuck) == sorted({run.track(0), run.track(2)}));
  CHECK(graph.cycle.empty());
  const Finding finding = deadlock_finding(run.trace, graph);
  REQUIRE(finding.sites.size() == 1);
  CHECK(finding.sites[0].rank == 0);
  CHECK(finding.sites[0].peer == 1);
  CHECK(finding.detail.id == "finding-detail.deadlock-left");
  CHECK(finding.detail.params == p2plab::Params{{"rank", "0"}, {"left", "1"}});
}

TEST_CASE("A rank whose feed has not appeared yet is no reason to be stuck") {
  Run run(2);
  const Op a = run.post(0, Kind::receive, 1, 0, 0, {.blocking = true});
  run.thread(0, kBlocked, a.call);
  CHECK(wait_for_graph(run.trace).stuck.empty());
}

TEST_CASE("Any source: a knot is a deadlock, one rank outside it is not") {
  Run run(3);
  for (int rank = 0; rank < 3; ++rank) {
    const Op op = run.post(rank, Kind::receive, kNone, 0, 0, {.blocking = true});
    run.thread(rank, kBlocked, op.call);
  }
  CHECK(wait_for_graph(run.trace).stuck.size() == 3);
  run.thread(1, ThreadState::running);
  CHECK(wait_for_graph(run.trace).stuck.empty());
}

TEST_CASE("A wait for all is stuck by one part, a wait for any only by every part") {
  for (const bool any : {false, true}) {
    Run run(3);
    const Op from_1 = run.post(0, Kind::receive, 1, 0, 0);
    const Op from_2 = run.post(0, Kind::receive, 2, 0, 1);
    run.returned(from_1, 1);
    run.returned(from_2, 2);
    const SpanId wait = run.wait(0, {from_1, from_2}, 3, any);
    const Op back = run.post(1, Kind::receive, 0, 9, 0, {.blocking = true});
    run.thread(0, kBlocked, wait);
    run.thread(1, kBlocked, back.call);
    run.thread(2, ThreadState::running);
    CHECK(wait_for_graph(run.trace).stuck.size() == (any ? 0u : 2u));

    const Op other = run.post(2, Kind::receive, 0, 9, 4, {.blocking = true});
    run.thread(2, kBlocked, other.call);
    CHECK(wait_for_graph(run.trace).stuck.size() == 3);

    // One part done releases a wait for any, not a wait for all.
    run.complete(from_1, 5);
    CHECK(wait_for_graph(run.trace).stuck.size() == (any ? 0u : 3u));
  }
}

TEST_CASE("A wait says the line of the wait and what the request was") {
  Run run(2);
  const Op a = run.post(0, Kind::send, 1, 2, 0, {.bytes = 5000, .site = "a.cpp:1", .name = "isend"});
  run.returned(a, 1);
  const SpanId wait = run.wait(0, {a}, 2, false, {.site = "a.cpp:2"});
  const Op b = run.post(1, Kind::receive, 0, 3, 0, {.blocking = true});
  run.thread(0, kBlocked, wait);
  run.thread(1, kBlocked, b.call);
  const Finding finding = deadlock_finding(run.trace, wait_for_graph(run.trace));
  REQUIRE(finding.sites.size() == 2);
  CHECK(finding.sites[0].call == "wait");
  CHECK(finding.sites[0].line == 2);
  CHECK(finding.sites[0].peer == 1);
  CHECK(finding.sites[0].tag == 2);
  CHECK(finding.sites[0].bytes == 5000);
}

TEST_CASE("A collective waits for every rank that has not entered it") {
  Run run(3);
  const SpanId a = run.collective(0, 0, 10);
  const SpanId b = run.collective(1, 0, 11);
  const Op c = run.post(2, Kind::receive, 0, 0, 12, {.blocking = true});
  run.thread(0, kBlocked, a);
  run.thread(1, kBlocked, b);
  run.thread(2, kBlocked, c.call);
  const WaitForGraph graph = wait_for_graph(run.trace);
  CHECK(graph.stuck.size() == 3);
  CHECK(sorted(graph.cycle) == sorted({run.track(0), run.track(2)}));
  for (const WaitNode& node : graph.nodes) {
    REQUIRE(node.needs.size() == 1);
    CHECK(node.needs[0].peer_rank == (node.track == run.track(2) ? 0 : 2));
  }
  run.thread(2, ThreadState::running);
  CHECK(wait_for_graph(run.trace).stuck.empty());
  run.complete(c, 13);
  const SpanId d = run.collective(2, 0, 14);
  run.thread(2, kBlocked, d);
  CHECK(wait_for_graph(run.trace).stuck.empty());
}

TEST_CASE("Ranks that all wait for whoever comes first are all named, as any of the others could have come") {
  Run run(3);
  for (int rank = 0; rank < 3; ++rank) {
    const Op any = run.post(rank, Kind::receive, kNone, 0, 10 + rank, {.blocking = true});
    run.thread(rank, kBlocked, any.call);
  }
  const Finding finding = deadlock_finding(run.trace, wait_for_graph(run.trace));
  REQUIRE(finding.sites.size() == 3);
  for (int rank = 0; rank < 3; ++rank) CHECK(finding.sites[static_cast<std::size_t>(rank)].rank == rank);
  CHECK(finding.detail.id == "finding-detail.deadlock-knot");
  CHECK(finding.detail.params == p2plab::Params{{"ranks", "0, 1, 2"}});
}

TEST_CASE("A rank that waits for itself waits for nobody else") {
  Run run(2);
  for (int rank = 0; rank < 2; ++rank) {
    const Op send = run.post(rank, Kind::send, rank, 0, 10, {.blocking = true});
    run.thread(rank, kBlocked, send.call);
  }
  const Finding finding = deadlock_finding(run.trace, wait_for_graph(run.trace));
  CHECK(finding.sites.size() == 2);
  CHECK(finding.detail.id == "finding-detail.deadlock-self");
  CHECK(finding.detail.params == p2plab::Params{{"cycle", "0 → 0, 1 → 1"}});
}

TEST_CASE("What a wait waits for is known to be a receive or a send") {
  for (const Kind kind : {Kind::send, Kind::receive}) {
    Run run(2);
    for (int rank = 0; rank < 2; ++rank) {
      const Op op = run.post(rank, kind, 1 - rank, 0, 10, {.blocking = true});
      run.thread(rank, kBlocked, op.call);
    }
    const Finding finding = deadlock_finding(run.trace, wait_for_graph(run.trace));
    REQUIRE(finding.sites.size() == 2);
    CHECK(finding.sites[0].receives == (kind == Kind::receive));
  }
}

TEST_CASE("A group needs all of its parts") {
  Run run(2);
  const auto [call, ops] = run.group(0, {{Kind::send, 1, 0}, {Kind::receive, 1, 0}}, 10, {.blocking = true, .name = "sendrecv"});
  const Op send = run.post(1, Kind::send, 0, 0, 20, {.blocking = true});
  run.thread(0, kBlocked, call);
  run.thread(1, kBlocked, send.call);
  CHECK(wait_for_graph(run.trace).stuck.empty());  // its receive fits the send

  Run broken(2);
  const auto [first, parts] = broken.group(0, {{Kind::send, 1, 0}, {Kind::receive, 1, 0}}, 10, {.blocking = true, .name = "sendrecv"});
  const Op wrong = broken.post(1, Kind::send, 0, 1, 20, {.blocking = true});
  broken.thread(0, kBlocked, first);
  broken.thread(1, kBlocked, wrong.call);
  const Finding finding = deadlock_finding(broken.trace, wait_for_graph(broken.trace));
  REQUIRE(finding.sites.size() == 2);
  CHECK(finding.sites[0].call == "sendrecv");
}

TEST_CASE("A host that waits for its lane is shown by the send in which the lane stands") {
  Run run(2, "nccl");
  for (int rank = 0; rank < 2; ++rank) {
    const std::string line = "n.cpp:" + std::to_string(20 + rank);
    const Op send = run.post(rank, Kind::send, 1 - rank, kNone, 10, {.lane = "comm", .blocking = true, .site = line});
    const SpanId wait = run.wait_for_lane(rank, "comm", 20, {.site = "n.cpp:30", .name = "synchronize"});
    run.thread(rank, kBlocked, wait);
    run.thread(rank, kBlocked, send.call, "comm");
    run.thread(rank, ThreadState::idle, kNoIndex, "compute");
  }
  const WaitForGraph graph = wait_for_graph(run.trace);
  CHECK(graph.stuck.size() == 6);
  const Finding finding = deadlock_finding(run.trace, graph);
  REQUIRE(finding.sites.size() == 2);
  for (int i = 0; i < 2; ++i) {
    const Site& site = finding.sites[static_cast<std::size_t>(i)];
    CHECK(site.call == "send");
    CHECK(site.line == 20 + site.rank);
  }
}

TEST_CASE("A lane whose thread has not begun yet may still release who waits for it; one that has left may not") {
  Run run(1);
  const SpanId wait = run.wait_for_lane(0, "comm", 5);
  run.thread(0, kBlocked, wait);
  CHECK(wait_for_graph(run.trace).stuck.empty());
  run.thread(0, ThreadState::exited, kNoIndex, "comm");
  CHECK(wait_for_graph(run.trace).stuck == std::vector<TrackId>{run.track(0)});
}

TEST_CASE("A lane that is idle has done all it was given") {
  Run run(2);
  const SpanId wait = run.wait_for_lane(0, "comm", 20);
  run.thread(0, kBlocked, wait);
  run.thread(0, ThreadState::idle, kNoIndex, "comm");
  const Op receive = run.post(1, Kind::receive, 0, 0, 5, {.blocking = true});
  run.thread(1, kBlocked, receive.call);
  CHECK(wait_for_graph(run.trace).stuck.empty());
}

TEST_CASE("An idle worker waits for its owner; workers alone are no deadlock") {
  Run run(2);
  const Op receive = run.post(0, Kind::receive, 1, 0, 5, {.blocking = true});
  const Op other = run.post(1, Kind::receive, 0, 0, 5, {.blocking = true});
  run.thread(0, kBlocked, receive.call);
  run.thread(0, ThreadState::idle, kNoIndex, "comm");
  run.thread(1, kBlocked, other.call);
  run.thread(1, ThreadState::idle, kNoIndex, "comm");
  const WaitForGraph graph = wait_for_graph(run.trace);
  CHECK(graph.stuck.size() == 4);
  CHECK(sorted(graph.cycle) == sorted({run.track(0), run.track(1)}));

  run.thread(0, ThreadState::exited);
  run.thread(1, ThreadState::exited);
  CHECK(wait_for_graph(run.trace).stuck.empty());
}

TEST_CASE("A lane that runs computation may still send") {
  Run run(2);
  const Op receive = run.post(0, Kind::receive, 1, 0, 5, {.blocking = true});
  const SpanId wait = run.wait_for_lane(1, "compute", 5);
  run.thread(0, kBlocked, receive.call);
  run.thread(1, kBlocked, wait);
  run.thread(1, ThreadState::running, kNoIndex, "compute");
  CHECK(wait_for_graph(run.trace).stuck.empty());
}

TEST_CASE("A request that is still in the queue of a stuck lane holds its waiter") {
  Run run(2);
  const Op first = run.post(0, Kind::send, 1, 0, 5, {.lane = "comm", .blocking = true});
  const SpanId wait = run.wait(0, {Op{kNoIndex, kNoIndex, 17}}, 6);
  const Op receive = run.post(1, Kind::receive, 0, 8, 5, {.blocking = true});
  run.thread(0, kBlocked, wait);
  run.thread(0, kBlocked, first.call, "comm");
  run.thread(1, kBlocked, receive.call);
  CHECK(wait_for_graph(run.trace).stuck.size() == 3);
}

TEST_CASE("A deadlock is declared after 100 polls and 10 ms of every track since the newest record, once") {
  Run run(2);
  both_send(run);
  DeadlockWatch watch;
  const auto poll = [&](std::uint64_t a, std::uint64_t b, Ns now) {
    run.trace.threads()[0].polls = a;
    run.trace.threads()[1].polls = b;
    run.trace.saw(now);
    return watch.update(run.trace);
  };
  CHECK_FALSE(poll(500, 500, 1'000'000));
  CHECK_FALSE(poll(700, 700, 2'000'000));     // polled often, but for 1 ms only
  CHECK_FALSE(poll(900, 599, 20'000'000));    // one of them only 99 times
  run.trace.threads()[1].newest_record = 21'000'000;
  CHECK_FALSE(poll(900, 900, 22'000'000));    // a new record: all again
  CHECK_FALSE(poll(1000, 1000, 31'999'999));
  const auto finding = poll(1000, 1000, 32'000'000);
  REQUIRE(finding);
  CHECK(finding->sites.size() == 2);
  CHECK(watch.detect_ns() == 32'000'000 - 200);
  CHECK(watch.graph().stuck.size() == 2);
  CHECK_FALSE(poll(2000, 2000, 64'000'000));
}

TEST_CASE("A trace with holes proves no deadlock") {
  Run run(2);
  both_send(run);
  run.trace.threads()[0].dropped = 1;
  DeadlockWatch watch;
  for (int i = 1; i < 10; ++i) {
    for (ThreadSample& thread : run.trace.threads()) thread.polls += 1000;
    run.trace.saw(i * 20'000'000);
    CHECK_FALSE(watch.update(run.trace));
  }
  CHECK(watch.graph().stuck.size() == 2);
}

TEST_CASE("A send inside a wait that ends in time is not declared") {
  Run run(2);
  both_send(run);
  DeadlockWatch watch;
  for (int i = 1; i < 20; ++i) {
    for (ThreadSample& thread : run.trace.threads()) {
      thread.polls += 1000;
      thread.newest_record = i * 9'000'000;  // each of them keeps recording
    }
    run.trace.saw(i * 9'000'000);
    CHECK_FALSE(watch.update(run.trace));
  }
}
