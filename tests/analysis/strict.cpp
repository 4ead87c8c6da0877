// The strict replay on finished runs made by hand.
#include "app/analysis/strict.h"

#include "tests/analysis/hand_made.h"
#include "tests/support/catch.h"

using namespace hand_made;
using namespace p2plab::analysis;

namespace {

// A call that posts one operation and is over at `end`.
Op done(Run& run, int rank, Kind kind, int peer, Ns begin, Ns end, How how = {}) {
  how.blocking = true;
  const Op op = run.post(rank, kind, peer, 0, begin, how);
  run.complete(op, end);
  return op;
}
Op started(Run& run, int rank, Kind kind, int peer, Ns begin, Ns end, const How& how = {}) {
  const Op op = run.post(rank, kind, peer, 0, begin, how);
  run.returned(op, begin + 1);
  run.trace.end(op.flight, end);
  return op;
}

}  // namespace

TEST_CASE("Both ranks send first: it passed, and only buffering let it") {
  Run run(2);
  for (int rank = 0; rank < 2; ++rank) {
    done(run, rank, Kind::send, 1 - rank, 10, 12, {.bytes = 8, .site = "d.cpp:" + std::to_string(5 + rank)});
    done(run, rank, Kind::receive, 1 - rank, 20, 22);
  }
  const auto finding = strict_replay(run.trace);
  REQUIRE(finding);
  CHECK(finding->kind == "unsafe-buffering");
  REQUIRE(finding->sites.size() == 2);
  CHECK(finding->sites[0].rank == 0);
  CHECK(finding->sites[0].call == "send");
  CHECK(finding->sites[0].line == 5);
  CHECK(finding->sites[0].peer == 1);
  CHECK(finding->sites[0].bytes == 8);
  CHECK(finding->sites[1].line == 6);
  CHECK(finding->detail.params == p2plab::Params{{"cycle", "0 → 1 → 0"}});
}

TEST_CASE("One rank sends first, the other receives first: safe") {
  Run run(2);
  done(run, 0, Kind::send, 1, 10, 12);
  done(run, 0, Kind::receive, 1, 20, 22);
  done(run, 1, Kind::receive, 0, 10, 12);
  done(run, 1, Kind::send, 0, 20, 22);
  CHECK_FALSE(strict_replay(run.trace));
}

TEST_CASE("Sends that are waited for after the receives are safe; before them they are not") {
  for (const bool safe : {true, false}) {
    Run run(2);
    for (int rank = 0; rank < 2; ++rank) {
      const Op send = started(run, rank, Kind::send, 1 - rank, 10, 12);
      if (!safe) run.trace.end(run.wait(rank, {send}, 15), 16);
      done(run, rank, Kind::receive, 1 - rank, 20, 22);
      if (safe) run.trace.end(run.wait(rank, {send}, 25), 26);
    }
    const auto finding = strict_replay(run.trace);
    CHECK(finding.has_value() == !safe);
    if (finding) CHECK(finding->sites[0].call == "wait");
  }
}

TEST_CASE("A fused pair is safe where two single calls are not") {
  Run run(2);
  for (int rank = 0; rank < 2; ++rank) {
    const auto [call, ops] = run.group(rank, {{Kind::send, 1 - rank, 0}, {Kind::receive, 1 - rank, 0}}, 10, {.blocking = true});
    for (const Op& op : ops) run.trace.end(op.flight, 15);
    run.trace.end(call, 16);
  }
  CHECK_FALSE(strict_replay(run.trace));
}

TEST_CASE("A collective between send and receive needs the send's buffer") {
  Run run(2);
  done(run, 0, Kind::send, 1, 10, 12);
  run.trace.end(run.collective(0, 0, 20), 30);
  run.trace.end(run.collective(1, 0, 20), 30);
  done(run, 1, Kind::receive, 0, 40, 42);
  const auto finding = strict_replay(run.trace);
  REQUIRE(finding);
  REQUIRE(finding->sites.size() == 2);
  CHECK(finding->sites[1].call == "barrier");
}

TEST_CASE("A ring of blocking sends on streams is found through the lanes") {
  for (const bool grouped_lanes : {false, true}) {
    Run run(2);
    for (int rank = 0; rank < 2; ++rank) {
      run.thread(rank, ThreadState::exited);
      run.thread(rank, ThreadState::exited, kNoIndex, "send lane");
      run.thread(rank, ThreadState::exited, kNoIndex, "receive lane");
      // One lane for both: the receive stands behind the send. Two lanes: both are under way at once.
      done(run, rank, Kind::send, 1 - rank, 10, 12, {.lane = "send lane"});
      done(run, rank, Kind::receive, 1 - rank, 20, 22, {.lane = grouped_lanes ? "receive lane" : "send lane"});
    }
    CHECK(strict_replay(run.trace).has_value() == !grouped_lanes);
  }
}

TEST_CASE("A lane that waits for an event waits for what lies before it, not for what lies behind") {
  // Rank 0, lane comm: receive, send.  Its host: waits for an event of comm, then sends with tag 7.
  for (const bool event_behind_send : {false, true}) {
    Run run(2);
    run.thread(0, ThreadState::exited);
    run.thread(0, ThreadState::exited, kNoIndex, "comm");
    done(run, 0, Kind::receive, 1, 10, 20, {.lane = "comm"});
    done(run, 0, Kind::send, 1, 30, 32, {.lane = "comm"});
    const SpanId wait = run.wait_for_lane(0, "comm", 5);
    run.trace.end(wait, 40);
    run.trace.event_recorded(0, 1, run.track(0, "comm"), 4);
    run.trace.event_reached(0, 1, event_behind_send ? 33 : 21);
    run.trace.add(WaitTarget{wait, kNone, run.track(0, "comm"), 1});
    const Op tagged = run.post(0, Kind::send, 1, 7, 54, {.blocking = true});
    run.complete(tagged, 55);

    done(run, 1, Kind::send, 0, 8, 9);
    // Rank 1 takes the second message first, by its tag.
    const Op second = run.post(1, Kind::receive, 0, 7, 60, {.blocking = true});
    run.complete(second, 61);
    done(run, 1, Kind::receive, 0, 62, 63);
    CHECK(strict_replay(run.trace).has_value() == event_behind_send);
  }
}

TEST_CASE("A call handed to a lane after a blocking call of the host waits for it") {
  for (const bool handed_before : {false, true}) {
    Run run(2);
    run.thread(0, ThreadState::exited);
    run.thread(0, ThreadState::exited, kNoIndex, "comm");
    // Rank 0: host sends (buffered), the lane receives. Rank 1: sends first, then receives.
    done(run, 0, Kind::send, 1, 10, 12);
    done(run, 0, Kind::receive, 1, 20, 22, {.lane = "comm"});
    run.trace.event_recorded(0, 1, run.track(0, "comm"), handed_before ? 5 : 15);
    run.trace.event_reached(0, 1, 23);
    done(run, 1, Kind::send, 0, 10, 12);
    done(run, 1, Kind::receive, 0, 20, 22);
    CHECK(strict_replay(run.trace).has_value() == !handed_before);
  }
}

TEST_CASE("A run that was cut short is not judged, nor a message that nobody receives") {
  Run cut(2);
  done(cut, 0, Kind::send, 1, 10, 12);
  cut.post(0, Kind::receive, 1, 0, 20, {.blocking = true});
  CHECK_FALSE(strict_replay(cut.trace));

  Run lost(2);
  done(lost, 0, Kind::send, 1, 10, 12);
  CHECK_FALSE(strict_replay(lost.trace));
}
