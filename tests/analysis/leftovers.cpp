// Buffer races by hashes, leaked requests and messages nobody received.
#include "app/analysis/buffers.h"
#include "app/analysis/leaks.h"
#include "app/analysis/matching.h"
#include "tests/analysis/hand_made.h"
#include "tests/support/catch.h"

using namespace hand_made;
using namespace p2plab::analysis;

namespace {

void hash(Run& run, const Op& op, std::uint64_t post, std::uint64_t done) {
  run.trace.hashes(op.flight) = {post, done, true, true};
}

}  // namespace

TEST_CASE("A send whose bytes changed before completion is a race, counted once for each send") {
  Run run(2);
  for (int i = 0; i < 3; ++i) {
    const Op send = run.post(0, Kind::send, 1, 0, 10 * i, {.site = "c.cpp:" + std::to_string(30 + i), .name = "isend"});
    const Op receive = run.post(1, Kind::receive, 0, 0, 10 * i + 1);
    run.complete(send, 10 * i + 3);
    run.complete(receive, 10 * i + 4);
    hash(run, send, 1, i == 0 ? 1 : 2);
    hash(run, receive, 9, i == 0 ? 1 : 2);
  }
  Matcher().update(run.trace);
  const auto findings = buffer_findings(run.trace);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == "send-buffer-race");
  CHECK(findings[0].count == 2);
  REQUIRE(findings[0].sites.size() == 1);
  CHECK(findings[0].sites[0].call == "isend");
  CHECK(findings[0].sites[0].line == 31);
}

TEST_CASE("A receive that ended with other bytes than a faithful sender posted is the receiver's race") {
  Run run(2);
  const Op send = run.post(0, Kind::send, 1, 0, 0);
  const Op receive = run.post(1, Kind::receive, 0, 0, 1, {.site = "r.cpp:4"});
  run.complete(send, 5);
  run.complete(receive, 6);
  hash(run, send, 7, 7);
  run.trace.hashes(receive.flight) = {0, 8, false, true};
  Matcher().update(run.trace);
  const auto findings = buffer_findings(run.trace);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == "recv-buffer-race");
  CHECK(findings[0].sites[0].rank == 1);
  CHECK(findings[0].sites[0].line == 4);
}

TEST_CASE("Other bytes than were posted are the sender's race when its request was freed before it was known to be complete") {
  Run run(2);
  const Op send = run.post(0, Kind::send, 1, 0, 0, {.site = "s.cpp:9"});
  const Op receive = run.post(1, Kind::receive, 0, 0, 1);
  run.complete(send, 5);
  run.complete(receive, 6);
  run.trace.hashes(send.flight) = {7, 0, true, false};
  run.trace.hashes(receive.flight) = {0, 8, false, true};
  Matcher().update(run.trace);
  const auto findings = buffer_findings(run.trace);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == "send-buffer-race");
  CHECK(findings[0].sites[0].rank == 0);
  CHECK(findings[0].sites[0].line == 9);
}

TEST_CASE("Equal hashes, missing hashes and buffers of another size accuse nobody") {
  Run run(2);
  for (int i = 0; i < 3; ++i) {
    const Op send = run.post(0, Kind::send, 1, 0, 10 * i, {.bytes = 8});
    const Op receive = run.post(1, Kind::receive, 0, 0, 10 * i + 1, {.bytes = i == 2 ? 16u : 8u});
    run.complete(send, 10 * i + 3);
    run.complete(receive, 10 * i + 4);
    if (i == 1) continue;
    hash(run, send, 5, 5);
    hash(run, receive, 1, i == 2 ? 6 : 5);
  }
  Matcher().update(run.trace);
  CHECK(buffer_findings(run.trace).empty());
}

TEST_CASE("A request still open when its rank has left is a leak; a message without receive is one of its own") {
  Run run(2);
  const Op leaked = run.post(0, Kind::send, 1, 0, 10, {.site = "l.cpp:1", .name = "isend"});
  run.returned(leaked, 11);
  const Op received = run.post(1, Kind::receive, 0, 0, 12, {.blocking = true});
  run.complete(received, 15);
  const Op lost = run.post(1, Kind::send, 0, 5, 20, {.blocking = true, .site = "l.cpp:2"});
  run.complete(lost, 21);
  run.thread(0, ThreadState::running);
  run.thread(1, ThreadState::exited);
  CHECK(leak_findings(run.trace).empty());

  run.thread(0, ThreadState::exited);
  const auto findings = leak_findings(run.trace);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].kind == "unmatched-message");
  CHECK(findings[0].sites[0].line == 2);
  CHECK(findings[1].kind == "request-leak");
  CHECK(findings[1].sites[0].line == 1);
  CHECK(findings[1].count == 1);
}

TEST_CASE("A send that is neither received nor waited for is one defect, a receive nobody sends to is a leak") {
  Run run(2);
  run.returned(run.post(0, Kind::send, 1, 0, 10), 11);
  run.returned(run.post(0, Kind::receive, 1, 0, 10), 11);
  run.thread(0, ThreadState::exited);
  run.thread(1, ThreadState::exited);
  const auto findings = leak_findings(run.trace);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].kind == "unmatched-message");
  CHECK(findings[0].count == 1);
  CHECK(findings[1].kind == "request-leak");
  CHECK(findings[1].count == 1);
}
